"""Syntax as values: terms, lowered from either parser, and what a statement binds and holds.

A `Term` is the abstract syntax tree without its looks. Nothing here knows of files, names or meaning.
"""
