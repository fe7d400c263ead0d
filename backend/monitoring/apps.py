"""The Django application of monitoring."""

from __future__ import annotations

from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    """Stores what polls observed."""

    name = "backend.monitoring"
    label = "monitoring"
