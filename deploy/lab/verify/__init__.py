"""Judges, transaction by transaction, what the nodes hold against what the load's ledgers say."""
