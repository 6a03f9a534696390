"""Catalogues: the metrics and the options of a revision, read out of its code, and how those of two revisions differ."""
