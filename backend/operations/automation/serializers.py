"""Serializers of automatic relocate and automatic start."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.operations.automation.models import MODES
from backend.operations.runs.models import RunState

OUTCOMES = ["proposed", "refused", "started", "held", *(state.value for state in RunState)]


class AutomationInSerializer(StrictSerializer):
    """The automatic relocate that a link allows; times are in seconds."""

    mode = serializers.ChoiceField(choices=MODES)
    loss_for_s = serializers.IntegerField(min_value=5, max_value=3600, default=30)
    block_s = serializers.IntegerField(min_value=60, max_value=604_800, default=3600)


class LastActionSerializer(ShapeSerializer):
    """The last automatic action; the outcome of a run is the run's state."""

    at = serializers.DateTimeField()
    plan_id = serializers.CharField(allow_null=True)
    run_id = serializers.CharField(allow_null=True)
    outcome = serializers.ChoiceField(choices=OUTCOMES)
    reason = serializers.CharField(allow_blank=True)


class AutomationSerializer(ShapeSerializer):
    """A link's automatic relocate; `reason` says why Hawser does nothing now, or what it did."""

    mode = serializers.ChoiceField(choices=MODES)
    loss_for_s = serializers.IntegerField()
    block_s = serializers.IntegerField()
    blocked_until = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    observed_at = serializers.DateTimeField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    last_action = LastActionSerializer(allow_null=True)


class AutomaticStartInSerializer(StrictSerializer):
    """Whether a channel that stopped without an error is started automatically, and its limit per hour."""

    enabled = serializers.BooleanField()
    most_per_hour = serializers.IntegerField(min_value=1, max_value=60, default=3)


class AutomaticStartSerializer(ShapeSerializer):
    """A link's automatic start; `starts` are those of the last hour, `reason` says why Hawser does nothing now."""

    enabled = serializers.BooleanField()
    most_per_hour = serializers.IntegerField()
    starts = serializers.ListField(child=serializers.DateTimeField())
    reason = serializers.CharField(allow_blank=True)
    observed_at = serializers.DateTimeField(allow_null=True)
    last_action = LastActionSerializer(allow_null=True)
