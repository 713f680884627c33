"""Tools: functions and services that an admitted operation can call.

A tool is a Python function with type hints and a docstring, marked by `@tool`, or what
a server of the Model Context Protocol offers. Tools are called only through
`aitia.tools.calling`, which puts every call on record.
"""

from aitia.tools.declare import tool
from aitia.tools.kinds import Tool, ToolFailed

__all__ = ["Tool", "ToolFailed", "tool"]
