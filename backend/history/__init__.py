"""What happened to a link and what it achieved: history, time line, reports."""
