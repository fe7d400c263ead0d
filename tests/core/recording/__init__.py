"""Recordings: what is in them, and what never is."""
