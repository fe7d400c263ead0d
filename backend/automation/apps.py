"""Application of automatic relocate."""

from __future__ import annotations

from django.apps import AppConfig


class AutomationConfig(AppConfig):
    """Holds what links allow, what was watched and what was done."""

    name = "backend.automation"
    label = "automation"
