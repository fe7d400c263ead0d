"""The row that a channel stopped on, read from the servers when it is requested."""
