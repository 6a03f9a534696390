"""How well cited code is found again: against the syntax itself, against git, and against hashes of lines."""
