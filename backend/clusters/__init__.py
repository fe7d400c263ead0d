"""Registered clusters, their nodes and the links between them; credentials are encrypted."""
