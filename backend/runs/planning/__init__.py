"""From a link as it is now to a stored plan."""
