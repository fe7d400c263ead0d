"""Plans and runs as Markdown: the runbook to follow by hand, and the report to file."""
