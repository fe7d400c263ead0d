"""The Django application of incidents."""

from __future__ import annotations

from django.apps import AppConfig


class IncidentsConfig(AppConfig):
    """Stores incidents, their items and approvals."""

    name = "backend.operations.incidents"
    label = "incidents"
