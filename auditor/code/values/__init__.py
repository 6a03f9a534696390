"""Constant evaluation, computer algebra and propositional logic on expressions.

`constants` is an interpreter of expressions whose operands are known; `initializers` finds the expression that gives a
field or a constant its value, and what assigns it again; `argparse_defaults` the same for command-line arguments.
`algebra` compares expressions by a polynomial normal form, `logic` decides whether conditions imply another, by truth
tables over atoms and the order of numbers. They assume that names in arithmetic stand for finite numbers, no NaN among
them, and that calls with equal arguments are equal. They answer: what value is this, are two formulas equal, does one
condition follow from others?
"""
