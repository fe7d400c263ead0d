"""Serializers of the channel error endpoint."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.outputs import serializer_of
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.channel_errors.model import ErrorState, NodeStatement
from backend.core.topology import Direction


class ChannelErrorQuerySerializer(StrictSerializer):
    """The direction of the channel."""

    direction = serializers.ChoiceField(choices=[one.value for one in Direction], default=Direction.FORWARD.value)


class ChannelErrorPositionSerializer(ShapeSerializer):
    """A position in the source's binary log."""

    file = serializers.CharField()
    position = serializers.IntegerField()


class FailedTransactionSerializer(ShapeSerializer):
    """The transaction that the channel stopped on."""

    to = ChannelErrorPositionSerializer()
    seqno = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)
    tables = serializers.ListField(child=serializers.CharField())
    rows = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        """Add `from`, which is a keyword in Python."""
        fields = super().get_fields()
        fields["from"] = ChannelErrorPositionSerializer()
        return fields


def _image(*, allow_null: bool = False) -> serializers.DictField:
    return serializers.DictField(child=serializers.JSONField(allow_null=True), allow_null=allow_null)


class FailedRowSerializer(ShapeSerializer):
    """The row: `before` and `after` in the transaction; `source` and `replica` as these nodes have it now."""

    schema = serializers.CharField()
    table = serializers.CharField()
    operation = serializers.ChoiceField(choices=["insert", "update", "delete"])
    key = serializers.ListField(child=serializers.CharField())
    before = _image(allow_null=True)
    after = _image(allow_null=True)
    source_unread = serializers.CharField(allow_blank=True)
    replica = serializers.ListField(child=_image())
    differing = serializers.ListField(child=serializers.CharField())

    def get_fields(self) -> dict[str, Any]:
        """Add `source`, which is a name of the serializer class."""
        fields = super().get_fields()
        fields["source"] = _image(allow_null=True)
        return fields


class WayOnSerializer(ShapeSerializer):
    """A solution; `plan_kind` is the operation that Hawser runs for it, `put_back` undoes the fix."""

    code = serializers.CharField()
    title = serializers.CharField()
    sentence = serializers.CharField()
    statements = serializer_of(NodeStatement)(many=True)
    put_back = serializer_of(NodeStatement)(many=True)
    plan_kind = serializers.CharField(allow_null=True)


class ChannelErrorSerializer(ShapeSerializer):
    """The row that a channel stopped on, as each side has it, and the solutions."""

    direction = serializers.ChoiceField(choices=[one.value for one in Direction])
    state = serializers.ChoiceField(choices=[one.value for one in ErrorState])
    detail = serializers.CharField()
    errno = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)
    replica = serializers.CharField(allow_null=True)
    transaction = FailedTransactionSerializer(allow_null=True)
    row = FailedRowSerializer(allow_null=True)
    ways = WayOnSerializer(many=True)

    def get_fields(self) -> dict[str, Any]:
        """Add `source`, which is a name of the serializer class."""
        fields = super().get_fields()
        fields["source"] = serializers.CharField(allow_null=True)
        return fields
