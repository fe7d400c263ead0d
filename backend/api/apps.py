"""Django application of the assembled API."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Holds the verifications of the demo's lab."""

    name = "backend.api"
    label = "api"

    def ready(self) -> None:
        """Register how calls find the links and clusters that they are about."""
        from backend.api import scopes

        scopes.register()
