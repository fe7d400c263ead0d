"""Plans and runs over REST."""
