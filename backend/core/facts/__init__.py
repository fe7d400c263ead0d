"""What follows at once from observed facts: JSON form, fingerprint, identity, membership, incarnation."""
