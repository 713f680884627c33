"""Figures over runs, and alarms."""
