"""Constant evaluation, and algebra and logic on expressions.

It answers: what value is this, are two formulas equal, does one condition imply another?
"""
