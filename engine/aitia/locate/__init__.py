"""Finds the exact words of a source in which a fact stands."""

from aitia.locate.facts import Located, locate

__all__ = ["Located", "locate"]
