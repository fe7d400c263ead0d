"""Django application of the adviser: its command. What it stores belongs to the applications inside."""

from __future__ import annotations

from django.apps import AppConfig


class AdviserConfig(AppConfig):
    """Has no tables."""

    name = "backend.adviser"
    label = "adviser"
