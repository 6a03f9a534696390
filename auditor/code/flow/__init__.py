"""Analyses of one function: symbolic execution, path conditions, must-analysis, entailment, monotonicity."""
