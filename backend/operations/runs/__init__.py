"""Plans and runs: services start runs, and tasks execute them."""
