"""The Django application of network measurements."""

from __future__ import annotations

from django.apps import AppConfig


class NetworkConfig(AppConfig):
    """Stores measurements, and the tokens with which hosts send them."""

    name = "backend.adviser.network"
    label = "network"
