"""Rehearsals: every kind of run up to its first write, on demand and on a schedule, and what they said."""
