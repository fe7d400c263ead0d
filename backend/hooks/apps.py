"""Application of webhooks."""

from __future__ import annotations

from django.apps import AppConfig


class HooksConfig(AppConfig):
    """Holds webhooks and what became of their calls."""

    name = "backend.hooks"
    label = "hooks"
