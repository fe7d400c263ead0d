"""The reviewed catalogue of problem codes: a title, what happened, what it means and what to do."""
