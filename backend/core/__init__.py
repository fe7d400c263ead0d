"""The replication domain: pure Python, standard library only.

It takes facts as frozen values and returns findings, positions and plans. It uses no socket, clock, framework or
driver; import-linter enforces this.
"""
