"""Django application of sign-in by a provider or directory."""

from __future__ import annotations

from django.apps import AppConfig


class SingleSignOnConfig(AppConfig):
    """Sign-in by OpenID Connect and LDAP."""

    name = "backend.identity.single_sign_on"
    label = "single_sign_on"

    def ready(self) -> None:
        """Register the checks of `manage.py check`."""
        from backend.identity.single_sign_on import system_checks  # noqa: F401
