"""Statements among orphans that change definitions: parsed strictly, followed by version, replayed, taken back.

What is not understood to its last word is refused by name: a definition is never changed on a guess.
"""
