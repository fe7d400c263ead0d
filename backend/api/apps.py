"""Application of the assembled API."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Holds the lab checks that the demo runs."""

    name = "backend.api"
    label = "api"
