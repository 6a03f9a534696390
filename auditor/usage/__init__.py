"""What a person's files use of metrics and options: dashboards, rules, manifests, command lines, documentation.

One module reads one kind of input. What a revision says of what they use is `verdicts`.
"""
