"""The network settings of a database host, as pasted, and what would have to change."""
