"""Verifies the record: in bounded steps, as a whole in the background, and against heads kept outside."""
