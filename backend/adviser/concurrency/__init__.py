"""How many transactions a cluster takes at once, and what a commit waits for."""
