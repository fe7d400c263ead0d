"""The REST API of sign-in by a provider."""
