"""Pattern matching on syntax: code with holes (`...`) and metavariables (`$NAME`), and equivalent forms of it."""
