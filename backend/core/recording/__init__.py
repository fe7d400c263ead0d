"""Recordings of a server's answers, made on a user's own cluster: which statements, and what is left out of them."""
