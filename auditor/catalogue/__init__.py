"""Catalogues: the metrics and options of a revision, read out of its code, and how those of two revisions differ."""
