"""From the current state of a link to a stored plan."""
