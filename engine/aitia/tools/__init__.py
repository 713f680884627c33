"""Tools that a run may call."""
