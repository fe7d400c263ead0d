"""The audit log: append-only, chained records of everything that users and runs did. One function writes it."""
