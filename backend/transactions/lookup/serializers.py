"""Serializers of the lookup endpoints."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.lookup.applied import Presence
from backend.core.lookup.model import Neighbour, NodeState, Stop

STATES = [one.value for one in NodeState]
MAX_SECONDS = 25
"""Two searches follow each other, and proxies end a call after a minute."""


class LookupQuerySerializer(StrictSerializer):
    """What to look for. All criteria that are given must hold."""

    xid = serializers.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, help_text="Xid (wsrep seqno); needs `cluster` or `node`"
    )
    gtid = PlainTextField(required=False, max_length=64, help_text="one GTID: `0-11-57`")
    cluster = PlainTextField(required=False, max_length=63, help_text="search one cluster first: its name or id")
    node = PlainTextField(required=False, max_length=63, help_text="search one node first: its name or id")
    file = PlainTextField(required=False, max_length=220, help_text="binary log; needs `position` and `node`")
    position = serializers.IntegerField(
        required=False, min_value=4, max_value=2**63 - 1, help_text="position in `file`, inside or beside a transaction"
    )
    server_id = serializers.IntegerField(
        required=False, min_value=0, max_value=2**32 - 1, help_text="server id of the server that wrote it"
    )
    since = serializers.DateTimeField(required=False, help_text="earliest time of the transaction")
    until = serializers.DateTimeField(required=False, help_text="latest time of the transaction")
    text = PlainTextField(
        required=False, min_length=3, max_length=500, help_text="part of a statement, in any case and spacing"
    )
    table = PlainTextField(required=False, max_length=130, help_text="changed table: `schema.table`")
    limit = serializers.IntegerField(
        default=50, min_value=1, max_value=200, help_text="transactions found on each node at most"
    )
    limit_mib = serializers.IntegerField(
        default=64, min_value=1, max_value=1024, help_text="MiB read of each node's binary log at most"
    )
    limit_s = serializers.IntegerField(
        default=10, min_value=1, max_value=MAX_SECONDS, help_text="seconds that each node is searched at most"
    )
    cursor = PlainTextField(required=False, max_length=8000, help_text="`next` of an incomplete response")


class LookupRowsQuerySerializer(StrictSerializer):
    """Where the transaction begins."""

    node = PlainTextField(max_length=63, help_text="name or id of the node")
    file = PlainTextField(max_length=220, help_text="binary log")
    position = serializers.IntegerField(
        min_value=4, max_value=2**63 - 1, help_text="position at which the transaction begins"
    )


class LookupPositionSerializer(ShapeSerializer):
    """A position in a node's binary log."""

    file = serializers.CharField()
    position = serializers.IntegerField()


class _LoggedSerializer(ShapeSerializer):
    file = serializers.CharField()
    position = serializers.IntegerField(help_text="where it begins")
    end_position = serializers.IntegerField(help_text="where a replica that has it resumes")
    gtid = serializers.CharField(allow_null=True)
    xid = serializers.IntegerField(allow_null=True, help_text="null for DDL and the like")


class LookupNeighbourTransactionSerializer(_LoggedSerializer):
    """The transaction next to it."""

    server_id = serializers.IntegerField()
    at = serializers.DateTimeField()
    summary = serializers.CharField()


class LookupNeighbourSerializer(ShapeSerializer):
    """What stands next to it in the same log."""

    state = serializers.ChoiceField(choices=[one.value for one in Neighbour])
    transaction = LookupNeighbourTransactionSerializer(allow_null=True)


class LookupLocationSerializer(_LoggedSerializer):
    """Where one node's binary log holds the transaction."""

    bytes = serializers.IntegerField()
    events = serializers.IntegerField()
    is_ambiguous = serializers.BooleanField(help_text="equal transactions of that second cannot be distinguished")
    before = LookupNeighbourSerializer()
    after = LookupNeighbourSerializer()


class LookupNodeLocationSerializer(ShapeSerializer):
    """One node's answer on one transaction."""

    node_id = serializers.CharField()
    node = serializers.CharField()
    cluster = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    detail = serializers.CharField(allow_blank=True)
    location = LookupLocationSerializer(allow_null=True)


class LookupEvidenceSerializer(ShapeSerializer):
    """What one kind of evidence says; `agrees` is null where it says nothing."""

    family = serializers.ChoiceField(choices=["content", "gtid", "executed", "account"])
    agrees = serializers.BooleanField(allow_null=True)
    detail = serializers.CharField()


class LookupSideSerializer(ShapeSerializer):
    """Whether a cluster holds the transaction; `no` only where logs were read that would show it."""

    cluster_id = serializers.CharField()
    cluster = serializers.CharField()
    is_origin = serializers.BooleanField(help_text="it was written there")
    held = serializers.ChoiceField(choices=[one.value for one in Presence])
    detail = serializers.CharField()
    evidence = LookupEvidenceSerializer(many=True)


class LookupTransactionSerializer(ShapeSerializer):
    """A transaction, where each node has it, and which side holds it."""

    server_id = serializers.IntegerField(help_text="server id of the server that wrote it")
    origin = serializers.CharField(allow_null=True, help_text="cluster of that server; null if it is of neither")
    at = serializers.DateTimeField()
    kind = serializers.ChoiceField(choices=["dml", "ddl", "other"])
    summary = serializers.CharField()
    statement = serializers.CharField(allow_null=True, help_text="null where the log holds none")
    tables = serializers.ListField(child=serializers.CharField())
    rows = serializers.IntegerField(allow_null=True, help_text="null where they were not counted")
    nodes = LookupNodeLocationSerializer(many=True)
    sides = LookupSideSerializer(many=True)


class LookupAnswerSerializer(ShapeSerializer):
    """How far one node's binary log was searched, and with what result."""

    node_id = serializers.CharField()
    node = serializers.CharField()
    cluster = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    code = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    to = LookupPositionSerializer(allow_null=True)
    since = serializers.DateTimeField(allow_null=True, help_text="all that was logged since then was read")
    bytes = serializers.IntegerField()
    transactions = serializers.IntegerField(help_text="transactions read")
    found = serializers.IntegerField()
    stopped_by = serializers.ChoiceField(choices=[one.value for one in Stop], allow_null=True)

    def get_fields(self) -> dict[str, Any]:
        """Add `from`, which is a keyword in Python."""
        fields = super().get_fields()
        fields["from"] = LookupPositionSerializer(allow_null=True)
        return fields


class LookupLimitsSerializer(ShapeSerializer):
    """The limits of the search on each node."""

    bytes = serializers.IntegerField()
    seconds = serializers.FloatField()
    transactions = serializers.IntegerField()


class LookupSerializer(ShapeSerializer):
    """The result of a lookup; `next` continues a search that a limit ended."""

    transactions = LookupTransactionSerializer(many=True)
    nodes = LookupAnswerSerializer(many=True)
    limits = LookupLimitsSerializer()
    next = serializers.CharField(allow_null=True)


class LookupRowSerializer(ShapeSerializer):
    """One changed row; values by column name."""

    schema = serializers.CharField()
    table = serializers.CharField()
    operation = serializers.ChoiceField(choices=["insert", "update", "delete"])
    before = serializers.DictField(child=serializers.JSONField(allow_null=True), allow_null=True)
    after = serializers.DictField(child=serializers.JSONField(allow_null=True), allow_null=True)


class LookupRowsSerializer(ShapeSerializer):
    """The rows of a transaction; `detail` says why there are none, or not all."""

    node = serializers.CharField()
    to = LookupPositionSerializer(allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    row_count = serializers.IntegerField(allow_null=True)
    rows = LookupRowSerializer(many=True)

    def get_fields(self) -> dict[str, Any]:
        """Add `from`, which is a keyword in Python."""
        fields = super().get_fields()
        fields["from"] = LookupPositionSerializer()
        return fields
