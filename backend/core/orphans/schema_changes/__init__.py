"""Statements among orphans that change table definitions: parsed strictly, tracked by version, replayed, undone.

A statement that is not parsed to its last word is refused by name: a definition is never changed on a guess.
"""
