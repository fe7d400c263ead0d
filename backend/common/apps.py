"""Application of the shared parts."""

from __future__ import annotations

import importlib

from django.apps import AppConfig


class CommonConfig(AppConfig):
    """Holds idempotency records and process beats."""

    name = "backend.common"
    label = "common"

    def ready(self) -> None:
        """Connect what the request log adds."""
        importlib.import_module("backend.common.rest.request_log")
