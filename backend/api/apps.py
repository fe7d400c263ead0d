"""Django application of the assembled API."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Holds the verifications of the demo's lab."""

    name = "backend.api"
    label = "api"
