"""Shows that two clusters hold equal data, so that replication between them may begin at the ends of their logs."""
