"""Keeping what was accepted true: rechecks of write-backs, and the knowledge's health."""
