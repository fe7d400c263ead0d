"""What to change at the servers, and what a change or an absence would do: figures with their source."""
