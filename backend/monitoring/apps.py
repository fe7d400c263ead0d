"""Application of the monitoring room."""

from __future__ import annotations

from django.apps import AppConfig


class MonitoringConfig(AppConfig):
    """Holds what polls have shown."""

    name = "backend.monitoring"
    label = "monitoring"
