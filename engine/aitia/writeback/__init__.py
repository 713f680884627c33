"""Proposals to change the knowledge, their checks, reviews and versions."""
