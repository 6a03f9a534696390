"""kvaudit: audits claims about source code against the code itself, without running it."""

__version__ = "0.1.0"
