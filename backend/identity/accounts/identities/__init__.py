"""Users who come from a provider or directory: their identity there, and the sessions that it opened."""
