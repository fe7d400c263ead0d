"""Django application of identities at providers and directories."""

from __future__ import annotations

from django.apps import AppConfig


class IdentitiesConfig(AppConfig):
    """Holds the identities of users at a provider or directory."""

    name = "backend.identity.accounts.identities"
    label = "identities"
