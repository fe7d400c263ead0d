"""A channel that stopped on one row: which row, what each side has of it, and the ways on."""
