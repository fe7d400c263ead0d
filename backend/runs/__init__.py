"""Plans, runs and what they did; services start them, tasks carry them on."""
