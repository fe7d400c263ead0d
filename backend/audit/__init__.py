"""The append-only, chained record of everything people and runs did; one function writes it."""
