"""A site that many links lose at once, measured on the whole product."""
