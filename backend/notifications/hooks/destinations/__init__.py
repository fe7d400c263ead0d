"""Destinations of notifications: created, changed, deleted, tested and shown by REST."""
