"""Bounded measurements that write to the console's own schema: commits of writers, and a heartbeat over a link."""
