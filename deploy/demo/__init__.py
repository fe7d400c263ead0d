"""`make demo`: two real Galera clusters, their link, and the console on them, from one command."""
