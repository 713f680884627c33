"""Earlier runs as context for a new one."""
