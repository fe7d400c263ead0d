"""Finds transactions in the binary logs of a link's nodes, and says which sides hold them."""
