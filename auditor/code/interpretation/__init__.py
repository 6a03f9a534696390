"""Abstract interpretation: code executed over partly known values, without running it.

It answers: which calls of a library does this code make, with which arguments, and under which path condition? Modules,
classes, functions, loops over tables and comprehensions are executed as Python would; a value that only a run has is
symbolic (`Unknown`, with the expression it comes from), and a test of one splits the path. It assumes that a call does
not raise, and that code which it cannot follow changes nothing that it knows. Bounded in steps, depth and alternatives.
"""
