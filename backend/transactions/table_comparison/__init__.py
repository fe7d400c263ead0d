"""Comparisons of the rows of a link's tables while they are written."""
