"""Application of the orphans."""

from __future__ import annotations

from django.apps import AppConfig


class OrphansConfig(AppConfig):
    """Holds scans and the transactions they found."""

    name = "backend.orphans"
    label = "orphans"
