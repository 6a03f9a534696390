"""How much a pack notices: edits of the real source at what each claim looks at (`auditor.mutation`), all together."""
