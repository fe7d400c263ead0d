"""Measurements that write to the probe schema: commits of writers, and a heartbeat over a link."""
