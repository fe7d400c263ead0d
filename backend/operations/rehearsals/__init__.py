"""Rehearsals: every operation up to its first write, on demand and on a schedule, and their results."""
