"""Bytes between the nodes of a cluster: by segments, by number of nodes, against the line, and as they grow."""
