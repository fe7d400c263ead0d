"""Django application of webhooks."""

from __future__ import annotations

from django.apps import AppConfig


class HooksConfig(AppConfig):
    """Holds webhooks and their deliveries."""

    name = "backend.notifications.hooks"
    label = "hooks"
