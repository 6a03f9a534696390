"""One module is one command: its name, `command`, and its short help in the first line of its docstring."""
