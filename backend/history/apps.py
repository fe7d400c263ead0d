"""The Django application of the history."""

from __future__ import annotations

from django.apps import AppConfig


class HistoryConfig(AppConfig):
    """Stores for how long a link was ready; everything else is read from other packages."""

    name = "backend.history"
    label = "history"
