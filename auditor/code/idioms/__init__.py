"""Idioms of libraries: Prometheus metrics, log messages, docstrings."""
