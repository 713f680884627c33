"""One module per verb; each holds a click command named `command`.

A verb `index_check` in file terms is a sub-command group of its own: groups are
click groups in one module.
"""
