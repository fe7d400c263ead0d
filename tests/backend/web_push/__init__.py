"""Web Push: messages for browsers of users."""
