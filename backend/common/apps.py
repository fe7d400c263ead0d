"""Django application of the shared modules."""

from __future__ import annotations

import importlib

from django.apps import AppConfig


class CommonConfig(AppConfig):
    """Holds idempotency records and heartbeats of processes."""

    name = "backend.common"
    label = "common"

    def ready(self) -> None:
        """Connect the fields of the request log."""
        importlib.import_module("backend.common.rest.request_log")
