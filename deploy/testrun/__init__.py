"""`make test`: every stage on real parts, and one line at the end."""
