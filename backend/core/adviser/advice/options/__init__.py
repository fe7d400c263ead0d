"""Galera's provider options: how a server shows them, what their values mean, and how one is changed."""
