"""Users, sign-in and API tokens."""
