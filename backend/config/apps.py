"""Django application of the settings: their command and their system checks."""

from __future__ import annotations

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    """Adds checks of the environment to Django's own checks."""

    name = "backend.config"
    label = "config"

    def ready(self) -> None:
        """Registers the checks."""
        from backend.config import system_checks  # noqa: F401 - registers itself
