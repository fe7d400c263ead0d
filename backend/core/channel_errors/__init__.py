"""A channel that stopped on one row: the row, its values on each side, and the solutions."""
