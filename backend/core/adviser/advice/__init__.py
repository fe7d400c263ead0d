"""Advice on the configuration of clusters and links: facts in, ranked advice out. Missing facts give no advice."""
