"""Changes of registered clusters, nodes and links: each is tried, locked against runs, audited and announced."""
