"""The record of one run, built and committed step by step."""

from aitia.trace.run import Commit, RunTrace
from aitia.trace.running import Running
from aitia.trace.told import to_json

__all__ = ["Commit", "RunTrace", "Running", "to_json"]
