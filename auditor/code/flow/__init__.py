"""Analyses of one function, and of the functions it calls.

`symbolic_execution` runs a body on expressions for values, `path_conditions` keeps the conditions on the way to every
program point, `entailment` compares these with what a claim states, `occurrence` takes several points together, and
`activations` follows calls, so that what a callee does is said in the caller's expressions (calling contexts).
`must_precede` is a forward must-analysis of two steps, and `path_coverage` decides where it finds a path around one
whether a run can take it; `no_return` knows the calls after which nothing runs; `dead_stores` finds overwritten
assignments; `return_values`, `state_changes` and `string_values` say what is returned, by how much a place is changed,
and what text an expression can be; `monotonicity` is a sign analysis of a derivative; `inlining` puts the class's own
methods in place of their calls. They assume that a call does not raise outside a `try`, that a special method has no
effect, and that no other thread changes an attribute between two statements. They answer: under which condition does
this run, in which order, with what value and effect?
"""
