"""Citations in any text: found, resolved to files of targets, checked against their code, carried to other revisions.

`reading` turns a file into passages (prose, code blocks, rows of tables) that know where each character stands in it;
`mentions` finds the citations in them; `resolving` says which file of which target each means; `checking` compares with
the code what the text says beside it; `carrying` follows the code to another revision; `repairing` writes new numbers.
"""
