"""Application of the shared parts."""

from __future__ import annotations

from django.apps import AppConfig


class CommonConfig(AppConfig):
    """Holds idempotency records and process beats."""

    name = "backend.common"
    label = "common"
