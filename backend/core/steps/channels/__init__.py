"""Steps on one replication channel: stop, reset, change source, set gtid_slave_pos, start."""
