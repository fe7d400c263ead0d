"""Django application of second factors."""

from __future__ import annotations

from django.apps import AppConfig


class SecondFactorsConfig(AppConfig):
    """Holds the second factors of users."""

    name = "backend.identity.second_factors"
    label = "second_factors"

    def ready(self) -> None:
        """Let sign-in ask for them."""
        from backend.identity.accounts import second_factor
        from backend.identity.second_factors.registered import StoredFactors

        second_factor.register(StoredFactors())
