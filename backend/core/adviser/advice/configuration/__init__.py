"""The settings of all nodes of a cluster side by side, and what would have to change."""
