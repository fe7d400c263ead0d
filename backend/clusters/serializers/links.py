"""Serializers of a link: as it is registered, and its state with channels, readiness and divergence."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.clusters import ClusterBriefSerializer, ClusterSerializer, FindingSerializer
from backend.common.rest.fields import ID_PATTERN, NameField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.common.roles import Permission
from backend.core.connection_names import LIMIT_BYTES, name_fault
from backend.core.plans.kinds import PLAN_KINDS
from backend.core.plans.rebuild_guide import CopyState
from backend.core.topology import Direction

PLAN_KIND = list(PLAN_KINDS)
DIRECTION = [direction.value for direction in Direction]
LINK_STATE = ["protected", "unproven", "degraded", "broken", "failed_over", "unprotected", "unknown", "retired"]
READINESS_STATE = ["ready", "blocked", "unknown", "not_needed"]
ON_LINK = [permission.value for permission in Permission]
CHANNEL_STATE = ["running", "stopped", "broken", "unknown", "stray"]


class ChannelNameField(serializers.CharField):
    """The name of a replication connection: any that MariaDB accepts, including blanks at its ends."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, max_length=LIMIT_BYTES, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        """Refuse a name that the server would refuse, change or not find again."""
        name = str(super().to_internal_value(data))
        fault = name_fault(name)
        if fault is not None:
            raise serializers.ValidationError(fault)
        return name


WRITES_ON_BOTH_SIDES = "whether applications write on the standby side, too: it is not meant to be fenced"


class LinkInSerializer(StrictSerializer):
    """A link to register. `create_probe` allows Hawser to create the schema `hawser` on the active side."""

    name = NameField()
    active_cluster = serializers.RegexField(ID_PATTERN, help_text="id of the cluster where applications write")
    standby_cluster = serializers.RegexField(ID_PATTERN, help_text="id of the cluster that receives")
    channel_name = ChannelNameField(
        required=False,
        allow_blank=True,
        default="",
        help_text="name of the replication connection; blank for the default one",
    )
    create_probe = serializers.BooleanField(
        default=True, help_text="create the schema hawser with its probe table on the active side"
    )
    requires_approval = serializers.BooleanField(
        default=False, help_text="whether runs need the approval of a second person"
    )
    writes_on_both_sides = serializers.BooleanField(default=False, help_text=WRITES_ON_BOTH_SIDES)


class ChannelSerializer(ShapeSerializer):
    """A channel of a link."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    source_node = serializers.CharField(allow_null=True)
    source_name = serializers.CharField(allow_blank=True)
    replica_node = serializers.CharField()
    replica_name = serializers.CharField()
    io_running = serializers.CharField(allow_null=True)
    sql_running = serializers.CharField(allow_null=True)
    lag_s = serializers.IntegerField(allow_null=True, help_text="seconds behind the source; null = unknown")
    gap_transactions = serializers.IntegerField(
        allow_null=True, help_text="transactions behind the source; null = unknown"
    )
    gap_at_least = serializers.IntegerField(
        allow_null=True, help_text="so many of them were read of the source's side; null = none could be counted"
    )
    gap_read_at = serializers.DateTimeField(
        allow_null=True, help_text="when a side that is lost was last read; null while it is read"
    )
    error = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(choices=CHANNEL_STATE)
    observed_at = serializers.DateTimeField(allow_null=True)
    age_s = serializers.FloatField(allow_null=True)
    recorded = serializers.BooleanField(help_text="whether this is the current channel of its direction")
    stray = serializers.BooleanField(help_text="whether another, recorded channel already replicates this direction")


class ReadinessSerializer(ShapeSerializer):
    """Whether an operation is possible now, and the result of its last rehearsal."""

    state = serializers.ChoiceField(choices=READINESS_STATE)
    sentence = serializers.CharField()
    estimate_s = serializers.FloatField(allow_null=True)
    loss_transactions = serializers.IntegerField(allow_null=True)
    loss_at_least = serializers.IntegerField(
        allow_null=True, help_text="transactions read of the active side that would be lost; it may have written more"
    )
    rehearsed_at = serializers.DateTimeField(allow_null=True)
    rehearsed_ok = serializers.BooleanField(allow_null=True)


class PrimaryActionSerializer(ShapeSerializer):
    """Recommended operation."""

    kind = serializers.ChoiceField(choices=PLAN_KIND, allow_null=True)
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    replaced_node = serializers.CharField(allow_null=True)
    url_options = serializers.DictField()


class ClusterRefSerializer(ShapeSerializer):
    """A cluster by name."""

    id = serializers.CharField()
    name = serializers.CharField()


class AppliedSerializer(ShapeSerializer):
    """The last transaction of the lost side that the survivor has applied, as a position of the lost side."""

    node = serializers.CharField(allow_null=True)
    file = serializers.CharField(allow_null=True)
    position = serializers.IntegerField(allow_null=True)
    seqno = serializers.IntegerField(allow_null=True)
    gtid = serializers.CharField(allow_null=True)


class LastSeenSerializer(ShapeSerializer):
    """The last state of the lost side that was observed."""

    seqno = serializers.IntegerField(allow_null=True)
    at = serializers.DateTimeField(allow_null=True)


class DivergenceLossSerializer(ShapeSerializer):
    """The data loss of a failover: counted after the drain, and before it in its plan; null = unknown."""

    transactions = serializers.IntegerField(
        allow_null=True, help_text="counted after the drain in what was read of the lost side: a lower bound"
    )
    planned_transactions = serializers.IntegerField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    detail = serializers.CharField(allow_blank=True)
    at_least = serializers.IntegerField(
        allow_null=True, help_text="`orphaned` where that is known, else `transactions`; null = none could be counted"
    )
    read_at = serializers.DateTimeField(allow_null=True, help_text="when the logs that were counted were last read")
    is_exact = serializers.BooleanField(help_text="whether the orphaned transactions of the returned side were counted")
    counted_by = serializers.ChoiceField(choices=["logs_read", "orphans"], allow_null=True)
    orphaned = serializers.IntegerField(allow_null=True, help_text="what the last scan of the returned side found")


class ReturnedNodeSerializer(ShapeSerializer):
    """A returned node of the lost side, as of its last start; `fenced_at` null: it is not fenced."""

    node = serializers.CharField()
    returned_at = serializers.DateTimeField()
    fenced_at = serializers.DateTimeField(allow_null=True)
    run_id = serializers.CharField(allow_null=True)
    attempts = serializers.IntegerField()


class ReturnedSideSerializer(ShapeSerializer):
    """The lost side since it returned; null means "not every returned node is fenced" or "unknown"."""

    returned_at = serializers.DateTimeField()
    fenced_at = serializers.DateTimeField(allow_null=True)
    writes = serializers.IntegerField(allow_null=True)
    nodes = ReturnedNodeSerializer(many=True)


class CopiedNodeSerializer(ShapeSerializer):
    """The progress of a node of the lost side towards a rebuild, from its own facts."""

    node = serializers.CharField()
    state = serializers.ChoiceField(choices=[state.value for state in CopyState])
    is_done = serializers.BooleanField()
    sentence = serializers.CharField()


class DivergenceSerializer(ShapeSerializer):
    """Divergence point, until the lost cluster is reconciled."""

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


class PauseSerializer(ShapeSerializer):
    """The maintenance of a link: it is observed, but no webhook is told, and nothing starts automatically."""

    until = serializers.DateTimeField()
    by = serializers.CharField()
    reason = serializers.CharField(allow_blank=True)


class LinkSerializer(ShapeSerializer):
    """A link with its current state."""

    id = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=LINK_STATE)
    sentence = serializers.CharField(help_text="state of the link in a sentence")
    detail = serializers.CharField(allow_blank=True)
    observed_at = serializers.DateTimeField(allow_null=True)
    age_s = serializers.FloatField(allow_null=True, help_text="age of the observation in seconds")
    active_cluster = ClusterBriefSerializer()
    standby_cluster = ClusterBriefSerializer()
    environment = serializers.CharField(allow_blank=True, help_text="for example production; blank for none")
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=ON_LINK), help_text="what the caller may do on this link"
    )
    channel_name = serializers.CharField(allow_blank=True)
    requires_approval = serializers.BooleanField()
    writes_on_both_sides = serializers.BooleanField(help_text=WRITES_ON_BOTH_SIDES)
    home_cluster = ClusterRefSerializer()
    invalidated_cluster = serializers.CharField(allow_null=True)
    divergence = DivergenceSerializer(allow_null=True)
    channels = ChannelSerializer(many=True)
    findings = FindingSerializer(many=True)
    readiness = serializers.DictField(child=ReadinessSerializer())
    primary_action = PrimaryActionSerializer(allow_null=True)
    active_run = RunBriefSerializer(allow_null=True)
    pause = PauseSerializer(allow_null=True, help_text="null if the link is not in maintenance")
    version = serializers.IntegerField(help_text="version of the registration, also its ETag")
    retired_at = serializers.DateTimeField(allow_null=True)


class LinkSidesSerializer(ShapeSerializer):
    """Both clusters of a link in full."""

    active = ClusterSerializer()
    standby = ClusterSerializer()


class LinkDetailSerializer(LinkSerializer):
    """A link with both clusters in full."""

    clusters = LinkSidesSerializer()


LinkPageSerializer: type[serializers.Serializer[Any]] = page_of(LinkSerializer, "Link")
