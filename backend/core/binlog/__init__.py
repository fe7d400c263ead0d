"""Reads binary and relay logs as event groups, in pages small enough not to delay production."""
