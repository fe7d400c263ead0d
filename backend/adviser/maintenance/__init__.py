"""Maintenances of nodes: the watch that sees a node leave and return, the end of a freeze, and their REST views."""
