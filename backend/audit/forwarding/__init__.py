"""Sends the audit log to where the console's administrators cannot reach: a syslog receiver, a file of JSON Lines."""
