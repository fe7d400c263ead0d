"""The Django application of table comparisons."""

from __future__ import annotations

from django.apps import AppConfig


class TableComparisonConfig(AppConfig):
    """Stores comparisons, how far each table is compared, and the rows that differ."""

    name = "backend.transactions.table_comparison"
    label = "table_comparison"
