"""Django application of the shared modules."""

from __future__ import annotations

import importlib

from django.apps import AppConfig

from backend.common.database_session import begin_sessions_by_waiting


class CommonConfig(AppConfig):
    """Holds idempotency records and heartbeats of processes."""

    name = "backend.common"
    label = "common"

    def ready(self) -> None:
        """Connect the fields of the request log, and what a session of the database begins with."""
        importlib.import_module("backend.common.rest.request_log")
        begin_sessions_by_waiting()
