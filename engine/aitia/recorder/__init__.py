"""The record for other people's agents."""
