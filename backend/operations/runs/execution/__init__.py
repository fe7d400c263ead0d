"""Execution of a claimed run: store, lease, transitions, recovery after a crash, shutdown."""
