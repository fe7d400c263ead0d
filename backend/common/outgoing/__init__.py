"""Connections to other services: which addresses are allowed, and HTTP to exactly those."""
