"""The Django application of automatic relocate."""

from __future__ import annotations

from django.apps import AppConfig


class AutomationConfig(AppConfig):
    """Stores what links allow, what was observed and what was done."""

    name = "backend.operations.automation"
    label = "automation"
