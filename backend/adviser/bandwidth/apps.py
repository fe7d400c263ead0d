"""The Django application of bandwidth."""

from __future__ import annotations

from django.apps import AppConfig


class BandwidthConfig(AppConfig):
    """Stores capacities."""

    name = "backend.adviser.bandwidth"
    label = "bandwidth"
