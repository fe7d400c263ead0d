"""Verifies the audit log: in limited steps, as a whole in the background, and against external heads."""
