"""Polling nodes: one poll, many in parallel, the binlog's tail and the journal sample."""
