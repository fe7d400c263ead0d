"""The REST view of a link's apply capacity."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from backend.clusters import selectors
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ShapeSerializer
from backend.common.rest.views import ConsoleView
from backend.common.roles import Permission
from backend.core.adviser.apply_capacity import Verdict
from backend.core.topology import Direction
from backend.monitoring.apply_capacity import apply_capacities


def _rate(of: str) -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, help_text=f"{of}, in transactions a second; null is unknown")


class CapacityNodeSerializer(ShapeSerializer):
    """A node of the channel."""

    id = serializers.CharField()
    name = serializers.CharField()


class AppliersSerializer(ShapeSerializer):
    """Settings of the appliers; null is unknown."""

    parallel_threads = serializers.IntegerField(allow_null=True, help_text="slave_parallel_threads of the replica")
    parallel_mode = serializers.CharField(allow_null=True, help_text="slave_parallel_mode of the replica")
    galera_threads = serializers.IntegerField(
        allow_null=True, help_text="lowest wsrep_slave_threads of the other nodes of its cluster"
    )


class CapacityReasonSerializer(ShapeSerializer):
    """Why the judgement is what it is."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    facts = serializers.DictField()


class DirectionCapacitySerializer(ShapeSerializer):
    """Whether one channel's replica keeps up with what the other side writes."""

    direction = serializers.ChoiceField(choices=[direction.value for direction in Direction])
    source_node = CapacityNodeSerializer()
    replica_node = CapacityNodeSerializer()
    to = serializers.DateTimeField(help_text="end of the time that the rates are of")
    verdict = serializers.ChoiceField(choices=[verdict.value for verdict in Verdict])
    gap_transactions = serializers.IntegerField(allow_null=True, help_text="what the replica lacks now")
    writes_per_s = _rate("median of the last ten minutes at the sending cluster, what it received included")
    writes_high_per_s = _rate("95th percentile of the hour at the sending cluster")
    applied_per_s = _rate("median of the last ten minutes at the replica")
    capacity_per_s = _rate("what the replica applied while it had a backlog (95th percentile)")
    drain_s = serializers.FloatField(
        allow_null=True, help_text="time for the present gap at the net rate of earlier backlogs; null is unknown"
    )
    appliers = AppliersSerializer()
    reasons = CapacityReasonSerializer(many=True)

    def get_fields(self) -> dict[str, Any]:
        """With `from`, which is no name in Python."""
        begin = serializers.DateTimeField(help_text="beginning of the time that the rates are of")
        return {"from": begin, **super().get_fields()}


class ApplyCapacitySerializer(ShapeSerializer):
    """Each direction that has a channel."""

    results = DirectionCapacitySerializer(many=True)


class LinkApplyCapacityView(ConsoleView):
    """Whether the replicas of a link keep up."""

    permissions = {"GET": Permission.READ}

    @operation("link_apply_capacity", "Get whether a link keeps up", responses=ApplyCapacitySerializer)
    def get(self, request: Request, link_id: str) -> Response:
        """Get write rate, apply rate and backlog of each direction in the last hour, and what limits its appliers."""
        link = selectors.link_get(link_id)
        return Response(ApplyCapacitySerializer({"results": apply_capacities(link, timezone.now())}).data)
