"""The replication domain: pure Python, standard library only.

Facts come in as frozen values, findings, positions and plans go out; no socket, clock,
framework or driver is known here (import-linter enforces it).
"""
