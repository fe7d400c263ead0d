"""Shapes of clusters, nodes and links; what monitoring knows is shaped here too."""
