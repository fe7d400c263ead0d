"""Compares the rows of tables on several nodes while they are written, chunk by chunk along a key."""
