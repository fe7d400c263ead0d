"""Application of the accounts."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Holds users, tokens and the login throttle."""

    name = "backend.accounts"
    label = "accounts"
