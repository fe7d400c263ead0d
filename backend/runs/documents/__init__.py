"""Plans and runs as Markdown: the runbook to follow by hand, the report to file."""
