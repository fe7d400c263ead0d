"""Serializers of the endpoints of orphaned transactions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.outputs import serializer_of
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.orphans.model import TableCount


class OrphanQuerySerializer(StrictSerializer):
    """A page."""

    cursor = serializers.CharField(required=False, max_length=20)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)


class OrphanExportQuerySerializer(StrictSerializer):
    """The format of the export."""

    format = serializers.ChoiceField(choices=["jsonl", "sql"], default="jsonl")


class OrphanClusterSerializer(ShapeSerializer):
    """The returned side."""

    id = serializers.CharField()
    name = serializers.CharField()


class OrphanPositionSerializer(ShapeSerializer):
    """A position in the node's binary log."""

    file = serializers.CharField()
    position = serializers.IntegerField()


class OrphanRowSerializer(ShapeSerializer):
    """One row before and after, by column name; bytes as 0x..., integers above 2^53 as text."""

    schema = serializers.CharField()
    table = serializers.CharField()
    operation = serializers.ChoiceField(choices=["insert", "update", "delete"])
    before = serializers.DictField(child=serializers.JSONField(allow_null=True), allow_null=True)
    after = serializers.DictField(child=serializers.JSONField(allow_null=True), allow_null=True)


class OrphanSerializer(ShapeSerializer):
    """One transaction; `refusal` says why its rows cannot be read exactly."""

    index = serializers.IntegerField()
    seqno = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)
    kind = serializers.ChoiceField(choices=["rows", "ddl"])
    statement = serializers.CharField(allow_null=True)
    refusal = serializers.CharField(allow_blank=True)
    rows = OrphanRowSerializer(many=True)


class OrphansSerializer(ShapeSerializer):
    """The orphaned transactions of the returned side. Operators see rows, viewers the summary."""

    state = serializers.ChoiceField(choices=["not_needed", "none", "found", "unknown"])
    detail = serializers.CharField()
    scanned_at = serializers.DateTimeField(allow_null=True)
    cluster = OrphanClusterSerializer(allow_null=True)
    node = serializers.CharField(allow_null=True)
    to = OrphanPositionSerializer(allow_null=True)
    transactions = serializers.IntegerField()
    rows = serializers.IntegerField()
    tables = serializer_of(TableCount)(many=True)
    first_at = serializers.DateTimeField(allow_null=True)
    last_at = serializers.DateTimeField(allow_null=True)
    results = OrphanSerializer(many=True)
    next = serializers.CharField(allow_null=True)

    def get_fields(self) -> dict[str, Any]:
        """Add `from`, which is a keyword in Python."""
        fields = super().get_fields()
        fields["from"] = OrphanPositionSerializer(allow_null=True)
        return fields
