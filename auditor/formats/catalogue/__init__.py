"""Catalogues of metrics and options, what differs between two, and what of them a person's files use."""
