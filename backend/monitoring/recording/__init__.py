"""Writing what a poll saw: nodes, links, replication gap, stray channels, binlog resets."""
