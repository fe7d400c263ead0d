"""Application of rehearsals."""

from __future__ import annotations

from django.apps import AppConfig


class RehearsalsConfig(AppConfig):
    """Holds rehearsals and their schedules."""

    name = "backend.rehearsals"
    label = "rehearsals"
