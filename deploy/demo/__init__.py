"""`make demo`: two Galera clusters, their link and Hawser, from one command."""
