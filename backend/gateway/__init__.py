"""Connections to managed servers: the only package that uses the database driver.

Roles are split by what they may do: a `Reader` cannot change anything, a `Writer` sends changing statements
of a few allowed kinds and reports when an outcome is unknown.
"""
