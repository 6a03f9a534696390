"""What libraries mean by code: Prometheus metrics, log messages, exceptions, docstrings.

Each module knows the names and habits of one library and asks the analyses below for the rest: `prometheus` which
constructor calls make which metrics, `log_messages` which calls log, `exceptions` what is raised, `docstrings` what
documentation says. They assume that a library's classes are called by the names it gives them. They answer: which
metrics, messages and exceptions are there, under which conditions, and what exactly do they say?
"""
