"""Shapes of a link: as it is registered, and its state with channels, readiness and divergence."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.clusters import ClusterBriefSerializer, ClusterSerializer, FindingSerializer
from backend.common.rest.fields import ID_PATTERN, NameField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.connection_names import LIMIT_BYTES, name_fault
from backend.core.plan import PLAN_KINDS
from backend.core.plans.rebuild_guide import CopyState
from backend.core.topology import Direction

PLAN_KIND = list(PLAN_KINDS)
DIRECTION = [direction.value for direction in Direction]
LINK_STATE = ["protected", "degraded", "broken", "failed_over", "unprotected", "unknown"]
CHANNEL_STATE = ["running", "stopped", "broken", "unknown", "stray"]


class ChannelNameField(serializers.CharField):
    """The name of a replication connection: any that MariaDB takes, blanks at its ends included."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=LIMIT_BYTES, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse what the server would not take, keep or find again."""
        name = str(super().to_internal_value(data))
        fault = name_fault(name)
        if fault is not None:
            raise serializers.ValidationError(fault)
        return name


class LinkInSerializer(StrictSerializer):
    """A link to register; `create_probe` consents to the schema `hawser` on the active side."""

    name = NameField()
    active_cluster = serializers.RegexField(ID_PATTERN)
    standby_cluster = serializers.RegexField(ID_PATTERN)
    channel_name = ChannelNameField(required=False, allow_blank=True, default="")
    create_probe = serializers.BooleanField(default=True)
    requires_approval = serializers.BooleanField(default=False)


class LinkUpdateSerializer(StrictSerializer):
    """What may change of a link."""

    requires_approval = serializers.BooleanField(required=False)


class ChannelSerializer(ShapeSerializer):
    """A channel of a link."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    source_node = serializers.CharField(allow_null=True)
    source_name = serializers.CharField(allow_blank=True)
    replica_node = serializers.CharField()
    replica_name = serializers.CharField()
    io_running = serializers.CharField(allow_null=True)
    sql_running = serializers.CharField(allow_null=True)
    lag_s = serializers.IntegerField(allow_null=True)
    gap_transactions = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=CHANNEL_STATE)
    observed_at = serializers.DateTimeField(allow_null=True)
    age_s = serializers.FloatField(allow_null=True)
    recorded = serializers.BooleanField()
    stray = serializers.BooleanField()


class ReadinessSerializer(ShapeSerializer):
    """Could this be done now, and what did its last rehearsal say?"""

    state = serializers.ChoiceField(choices=["ready", "blocked", "unknown", "not_needed"])
    sentence = serializers.CharField()
    estimate_s = serializers.FloatField(allow_null=True)
    loss_transactions = serializers.IntegerField(allow_null=True)
    rehearsed_at = serializers.DateTimeField(allow_null=True)
    rehearsed_ok = serializers.BooleanField(allow_null=True)


class PrimaryActionSerializer(ShapeSerializer):
    """The one thing to do now."""

    kind = serializers.ChoiceField(choices=PLAN_KIND, allow_null=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    replaced_node = serializers.CharField(allow_null=True)
    url_options = serializers.DictField()


class ClusterRefSerializer(ShapeSerializer):
    """A cluster by name."""

    id = serializers.CharField()
    name = serializers.CharField()


class AppliedSerializer(ShapeSerializer):
    """The last the survivor has applied of the lost side, in the lost side's own coordinates."""

    node = serializers.CharField(allow_null=True)
    file = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    seqno = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)


class LastSeenSerializer(ShapeSerializer):
    """The last the console saw of the lost side."""

    seqno = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class DivergenceLossSerializer(ShapeSerializer):
    """What a failover cost: counted after the drain, beside the bound its plan stated; null is not known."""

    transactions = serializers.IntegerField(allow_null=True)
    planned_transactions = serializers.IntegerField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    detail = serializers.CharField(allow_blank=True)


class ReturnedNodeSerializer(ShapeSerializer):
    """A node of the lost side that is back, as of its present start; `fenced_at` null: it is not fenced."""

    node = serializers.CharField()
    returned_at = serializers.DateTimeField()
    fenced_at = serializers.DateTimeField(allow_null=True)
    run_id = serializers.CharField(allow_null=True)
    attempts = serializers.IntegerField()


class ReturnedSideSerializer(ShapeSerializer):
    """The lost side since it returned; null is "not every returned node is fenced" and "not known"."""

    returned_at = serializers.DateTimeField()
    fenced_at = serializers.DateTimeField(allow_null=True)
    writes = serializers.IntegerField(allow_null=True)
    nodes = ReturnedNodeSerializer(many=True)


class CopiedNodeSerializer(ShapeSerializer):
    """How far a node of the lost side is on its way to a copy of the other one, by its own facts."""

    node = serializers.CharField()
    state = serializers.ChoiceField(choices=[state.value for state in CopyState])
    is_done = serializers.BooleanField()
    sentence = serializers.CharField()


class DivergenceSerializer(ShapeSerializer):
    """Where two histories part, until the lost side is reconciled."""

    lost_cluster = ClusterRefSerializer()
    survivor_cluster = ClusterRefSerializer()
    at = serializers.DateTimeField()
    run_id = serializers.CharField()
    applied = AppliedSerializer()
    last_seen = LastSeenSerializer(allow_null=True)
    loss = DivergenceLossSerializer()
    fences_on_return = serializers.BooleanField()
    returned = ReturnedSideSerializer(allow_null=True)
    copied_nodes = CopiedNodeSerializer(many=True)


class RunBriefSerializer(ShapeSerializer):
    """A run in one line."""

    id = serializers.CharField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(
        choices=[
            "waiting_approval",
            "queued",
            "running",
            "succeeded",
            "failed",
            "aborted",
            "needs_operator",
        ]
    )
    requested_by = serializers.CharField()
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class LinkSerializer(ShapeSerializer):
    """A link as it is now."""

    id = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=LINK_STATE)
    sentence = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)
    observed_at = serializers.DateTimeField(allow_null=True)
    age_s = serializers.FloatField(allow_null=True)
    active_cluster = ClusterBriefSerializer()
    standby_cluster = ClusterBriefSerializer()
    channel_name = serializers.CharField(allow_blank=True)
    requires_approval = serializers.BooleanField()
    home_cluster = ClusterRefSerializer()
    invalidated_cluster = serializers.CharField(allow_null=True)
    divergence = DivergenceSerializer(allow_null=True)
    channels = ChannelSerializer(many=True)
    findings = FindingSerializer(many=True)
    readiness = serializers.DictField(child=ReadinessSerializer())
    primary_action = PrimaryActionSerializer(allow_null=True)
    active_run = RunBriefSerializer(allow_null=True)


class LinkSidesSerializer(ShapeSerializer):
    """Both clusters of a link in full."""

    active = ClusterSerializer()
    standby = ClusterSerializer()


class LinkDetailSerializer(LinkSerializer):
    """A link with both clusters in full."""

    clusters = LinkSidesSerializer()


LinkPageSerializer: type[serializers.Serializer[Any]] = page_of(LinkSerializer, "Link")
