"""Sign-in by a provider or directory, tried against real ones."""
