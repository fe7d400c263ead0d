"""The Django application of lookups; it stores nothing."""

from __future__ import annotations

from django.apps import AppConfig


class LookupConfig(AppConfig):
    """Has the command `hawser_lookup`."""

    name = "backend.transactions.lookup"
    label = "lookup"
