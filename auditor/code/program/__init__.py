"""Whole-program analyses, over many files: name resolution, class hierarchy, type inference, call graph, references."""
