"""Serializers of clusters, nodes and links, including what monitoring observed of them."""
