"""Columns of a server's status that say what it logs and applies, each with its judgement."""
