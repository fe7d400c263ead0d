"""Locates a resume position: what the receiving side last applied, and where that ends in a new source's log."""
