"""Shapes of plans and runs."""
