"""Incidents: the operations on all links that a lost site or node touches, confirmed and started as one."""
