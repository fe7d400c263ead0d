"""The reviewed catalogue of finding codes: a title, what happened, what it means and what to do."""
