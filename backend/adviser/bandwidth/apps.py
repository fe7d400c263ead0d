"""The Django application of bandwidth."""

from __future__ import annotations

from django.apps import AppConfig


class BandwidthConfig(AppConfig):
    """Stores capacities and counters."""

    name = "backend.adviser.bandwidth"
    label = "bandwidth"
