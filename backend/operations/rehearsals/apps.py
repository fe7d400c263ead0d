"""The Django application of rehearsals."""

from __future__ import annotations

from django.apps import AppConfig


class RehearsalsConfig(AppConfig):
    """Stores rehearsals and their schedules."""

    name = "backend.operations.rehearsals"
    label = "rehearsals"
