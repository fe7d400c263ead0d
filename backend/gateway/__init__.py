"""Connections to managed servers: the only room that knows the driver.

Roles are split by power: a `Reader` cannot change anything, a `Writer` sends changing statements
of a few allowed kinds and says plainly when an outcome is not known.
"""
