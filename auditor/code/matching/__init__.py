"""Structural pattern matching: unification of code that has holes (`...`) and metavariables (`$NAME`) with terms.

`notation` parses what a claim writes (constants, formulas, patterns, places), `search` finds a pattern in a definition,
`equivalent_forms` gives the definition in other forms of the same meaning. It assumes that operands of `+` and `*` that
are no sequences commute. It answers: is there code of this shape here, where, and what do its metavariables stand for?
"""
