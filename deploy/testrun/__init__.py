"""`make test`: every stage, and one line of totals at the end."""
