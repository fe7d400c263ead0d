"""Advice on the configuration of clusters and links: what is read, what is advised, what was dismissed."""
