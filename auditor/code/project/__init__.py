"""A snapshot as code: files decoded, parsed and indexed once, and definitions found wherever they are.

The symbol table of each file (`symbols`), definitions by path and name, also where they moved (`Codebase.locate`), the
module behind an import, and a note of all that an answer rests on (`dependencies`). It assumes that a package's modules
lie in the folders that their names say, and that a definition is where text looks like one. It answers: where is this
symbol defined, what is its syntax, and which files does the answer depend on?
"""
