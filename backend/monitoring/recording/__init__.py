"""Stores the results of polls: nodes, links, replication gap, stray channels, binlog resets."""
