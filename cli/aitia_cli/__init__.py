"""The `aitia` command: one verb per module, each loaded only when it is called."""
