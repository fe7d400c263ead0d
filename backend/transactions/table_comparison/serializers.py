"""What the endpoints of comparisons take."""

from __future__ import annotations

import re

from rest_framework import serializers

from backend.common.rest.outputs import serializer_of
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import StrictSerializer, page_of
from backend.transactions.table_comparison.models import State, TableState
from backend.transactions.table_comparison.outputs import ComparedTable, RowDifference

_NAME = re.compile(r"[^.\x00]{1,64}(\.[^.\x00]{1,64})?")


class _BudgetSerializer(StrictSerializer):
    every_node = serializers.BooleanField(
        required=False, default=True, help_text="Or one node of each side, so that the others do no work for it."
    )
    only = serializers.ListField(
        child=serializers.CharField(max_length=129), required=False, max_length=200, help_text="SCHEMA or SCHEMA.TABLE."
    )
    rows_per_s = serializers.IntegerField(required=False, min_value=10, max_value=1_000_000, default=20_000)
    busy_percent = serializers.IntegerField(required=False, min_value=1, max_value=90, default=20)

    def validate_only(self, names: list[str]) -> list[str]:
        """Check each name."""
        for name in names:
            if not _NAME.fullmatch(name):
                raise serializers.ValidationError(f"{name[:80]} is neither SCHEMA nor SCHEMA.TABLE.")
        return names


class ComparisonInSerializer(_BudgetSerializer):
    """What to compare, and within which budget."""


class ComparisonChangeSerializer(StrictSerializer):
    """The state to bring a comparison to."""

    state = serializers.ChoiceField(choices=[State.RUNNING, State.PAUSED, State.STOPPED])


class ComparisonScheduleInSerializer(_BudgetSerializer):
    """When to compare automatically."""

    enabled = serializers.BooleanField()
    every_hours = serializers.IntegerField(min_value=1, max_value=2160)


class ComparedTableQuerySerializer(StrictSerializer):
    """A page of tables, optionally of one state."""

    state = serializers.ChoiceField(choices=list(TableState.values), required=False)
    cursor = serializers.CharField(required=False, max_length=400)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)


class RowDifferenceQuerySerializer(StrictSerializer):
    """A page of rows that differ, optionally of one table."""

    table = serializers.CharField(required=False, max_length=140)
    cursor = serializers.CharField(required=False, max_length=400)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)


class DifferenceExportQuerySerializer(StrictSerializer):
    """The format, and for statements the node that they are for."""

    format = serializers.ChoiceField(choices=["jsonl", "sql"], default="jsonl")
    node = serializers.CharField(required=False, max_length=14, help_text="Id of the node that statements are for.")


class RowWritersQuerySerializer(StrictSerializer):
    """The row, and how far the logs are read back."""

    difference = serializers.IntegerField(min_value=1, help_text="`id` of a row that differs.")
    hours = serializers.IntegerField(
        required=False, min_value=1, max_value=168, default=1, help_text="Before the row was found to differ."
    )


ComparedTablePageSerializer = page_of(serializer_of(ComparedTable), "ComparedTable")
RowDifferencePageSerializer = page_of(serializer_of(RowDifference), "RowDifference")
