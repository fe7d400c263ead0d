"""Single transactions: those of a lost site, a channel's failed one, and the lookup of any."""
