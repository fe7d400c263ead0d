"""Looks transactions up in the binary logs of a link's nodes, over REST and at the shell."""
