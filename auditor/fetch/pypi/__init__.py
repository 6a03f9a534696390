"""The package registry: its pages, and the files of its releases."""
