"""Syntax as values: the abstract syntax tree, lowered from either parser to terms in one normal form.

A `Term` is a node in normal form; `term.GRAMMAR` lists the types and their parts. From terms come their text again
(`unparse`), what a statement binds and which value goes to which target (`targets`), its blocks and how control leaves
them early (`blocks`: abrupt completion), and attributes named in strings (`dynamic_attributes`). It assumes nothing: no
file, name or meaning is known here. A check's author finds here what a piece of code is made of.
"""
