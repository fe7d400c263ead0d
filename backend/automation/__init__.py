"""Opt-in automatic relocate: watches links, proposes or starts a normal plan under its own name."""
