"""Plans and runs over HTTP."""
