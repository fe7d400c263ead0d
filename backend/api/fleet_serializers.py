"""Serializers of the rows of all links."""

from __future__ import annotations

from rest_framework import serializers

from backend.clusters.serializers.clusters import CLUSTER_STATUS
from backend.clusters.serializers.links import (
    CHANNEL_STATE,
    LINK_STATE,
    ON_LINK,
    READINESS_STATE,
    PauseSerializer,
    PrimaryActionSerializer,
    RunBriefSerializer,
)
from backend.common.rest.outputs import serializer_of
from backend.common.rest.serializers import ShapeSerializer
from backend.core.link_state.attention import Attention, AttentionReason
from backend.core.reports.recovery_summary import Source

ATTENTION = [reason.value for reason in Attention]
SOURCES = [source.value for source in Source]


class RowSideSerializer(ShapeSerializer):
    """A cluster of a link."""

    id = serializers.CharField()
    name = serializers.CharField()
    site = serializers.CharField()
    status = serializers.ChoiceField(choices=CLUSTER_STATUS)
    nodes_up = serializers.IntegerField()
    nodes = serializers.IntegerField()


class RowChannelSerializer(ShapeSerializer):
    """The current channel of one direction; null = unknown."""

    source_name = serializers.CharField(allow_blank=True)
    replica_name = serializers.CharField()
    state = serializers.ChoiceField(choices=CHANNEL_STATE)
    lag_s = serializers.IntegerField(allow_null=True)
    gap_transactions = serializers.IntegerField(allow_null=True)
    gap_at_least = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)


class RowReadinessSerializer(ShapeSerializer):
    """Whether an operation is possible now, and when it was last rehearsed; null = never."""

    state = serializers.ChoiceField(choices=READINESS_STATE)
    passed_at = serializers.DateTimeField(allow_null=True)
    failed_at = serializers.DateTimeField(allow_null=True)


class SourceSerializer(ShapeSerializer):
    """From what a figure is known, and since when. `source_id` is that of the run or rehearsal."""

    source = serializers.ChoiceField(choices=SOURCES)  # type: ignore[assignment]
    at = serializers.DateTimeField()
    source_id = serializers.CharField(allow_null=True)


class RecoveryTimeSerializer(SourceSerializer):
    """How long a failover takes, from its confirmation to its verified result."""

    seconds = serializers.FloatField()


class RecoveryPointSerializer(SourceSerializer):
    """What a failover loses; `seconds` null = unknown."""

    transactions = serializers.IntegerField()
    seconds = serializers.FloatField(allow_null=True)


class RowAdviceSerializer(ShapeSerializer):
    """Numbers of open pieces of advice on the link and its clusters. With unread nodes there may be more."""

    high = serializers.IntegerField()
    medium = serializers.IntegerField()
    low = serializers.IntegerField()
    unread_nodes = serializers.IntegerField()


class LinkRowSerializer(ShapeSerializer):
    """A link as one row among many."""

    id = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=LINK_STATE)
    sentence = serializers.CharField(help_text="state of the link in a sentence")
    stale_since = serializers.DateTimeField(
        allow_null=True, help_text="when the link was last observed, where that is too long ago; its state is unknown"
    )
    active_cluster = RowSideSerializer()
    standby_cluster = RowSideSerializer()
    forward = RowChannelSerializer(allow_null=True)
    reverse = RowChannelSerializer(allow_null=True)
    readiness = serializers.DictField(child=RowReadinessSerializer())
    recovery_time = RecoveryTimeSerializer(allow_null=True, help_text="null = unknown")
    recovery_point = RecoveryPointSerializer(allow_null=True, help_text="null = unknown")
    advice = RowAdviceSerializer(allow_null=True, help_text="null = unknown")
    attention = serializer_of(AttentionReason)(
        many=True, help_text="why it needs a person, the most urgent reason first"
    )
    urgency = serializers.IntegerField(help_text="the smaller, the more urgent; equal for all that need no person")
    primary_action = PrimaryActionSerializer(allow_null=True)
    active_run = RunBriefSerializer(allow_null=True)
    pause = PauseSerializer(allow_null=True, help_text="null if the link is not in maintenance")
    environment = serializers.CharField(allow_blank=True, help_text="for example production; blank for none")
    permissions = serializers.ListField(
        child=serializers.ChoiceField(choices=ON_LINK), help_text="what the caller may do on this link"
    )
    version = serializers.IntegerField(help_text="version of the registration, also its ETag")


class FleetSerializer(ShapeSerializer):
    """All registered links."""

    results = LinkRowSerializer(many=True)
    read_at = serializers.DateTimeField()
