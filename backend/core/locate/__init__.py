"""Finding the place: what the receiving side last applied, and where that stands on a new source."""
