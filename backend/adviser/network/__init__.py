"""Measurements of the network between the two sites of a link, and what they say for a Galera cluster."""
