"""A snapshot as code: files decoded, parsed and indexed once, and symbols found wherever they are.

It answers: where is this symbol defined, what is its syntax, and which files does that answer depend on?
"""
