"""The Django application of orphaned transactions."""

from __future__ import annotations

from django.apps import AppConfig


class OrphansConfig(AppConfig):
    """Stores scans and the transactions they found."""

    name = "backend.transactions.orphans"
    label = "orphans"
