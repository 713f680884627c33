"""Methods as nodes: one file each, registered by decorator; they only read."""
