"""Stores from which passwords come by reference."""
