"""Whole-program analyses, over many files: name resolution, class hierarchy, type inference, call graph, references.

`names` resolves a dotted name through imports and re-exports to its referents; `class_hierarchy` has bases, the C3
linearization and subclasses; `type_inference` says of which classes an expression may be an instance, and whether that
is all; `call_graph` is reachability from a function, class-hierarchy analysis deciding dynamic dispatch; `references`
and `identifiers` find every use of code and every name in a scope; `self_calls` says which method `self.f()` is. They
assume that no module is patched from outside its own file and that `sys.path` is what the folders say. They answer:
what does this name mean, who derives from this class, what can be reached from here, and where else is this written?
"""
