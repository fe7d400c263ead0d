"""The Django application of roles by scope."""

from __future__ import annotations

from django.apps import AppConfig


class AccessConfig(AppConfig):
    """Stores the roles that were assigned, and decides what a user may do."""

    name = "backend.identity.access"
    label = "access"

    def ready(self) -> None:
        """Register what decides on every call."""
        from backend.identity.access.deciding import privileges_of
        from backend.identity.accounts import privileges

        privileges.register(privileges_of)
