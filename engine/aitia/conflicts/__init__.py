"""What on record cannot both hold."""
