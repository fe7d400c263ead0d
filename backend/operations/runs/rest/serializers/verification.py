"""Serializers of the verification after a run: its probes and the continuity check."""

from __future__ import annotations

from rest_framework import serializers

from backend.clusters.serializers.links import DIRECTION
from backend.common.rest.serializers import ShapeSerializer


class ProbeSeenSerializer(ShapeSerializer):
    """Milliseconds until a probe arrived on a node; null = not arrived yet."""

    node = serializers.CharField()
    ms = serializers.FloatField(allow_null=True)


class ProbeSerializer(ShapeSerializer):
    """A probe transaction and the nodes on which it arrived."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    written_on = serializers.CharField()
    seen_on = ProbeSeenSerializer(many=True)
    complete = serializers.BooleanField()


class ContinuitySerializer(ShapeSerializer):
    """The transactions compared around a resume position."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    node = serializers.CharField()
    groups_compared = serializers.IntegerField()
    equal = serializers.BooleanField()


class RemovedChannelSerializer(ShapeSerializer):
    """A channel that the run removed, and where it stopped. `gtid` is `gtid_slave_pos` of its node."""

    direction = serializers.ChoiceField(choices=DIRECTION)
    node = serializers.CharField()
    source_name = serializers.CharField()
    name = serializers.CharField(allow_blank=True)
    file = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField()
    gtid = serializers.CharField(allow_null=True, allow_blank=True)


class VerificationSerializer(ShapeSerializer):
    """What was verified after the run."""

    verdict = serializers.ChoiceField(choices=["verified", "not_verified", "partly"])
    probes = ProbeSerializer(many=True)
    continuity = ContinuitySerializer(many=True)
    options_equal = serializers.BooleanField(allow_null=True)
    stray_channels = serializers.ListField(child=serializers.CharField())
    not_probed_reason = serializers.CharField(allow_blank=True)
    write_pause_ms = serializers.IntegerField(allow_null=True, required=False)
    cleanup_pending = serializers.ListField(child=serializers.CharField())
    removed_channels = RemovedChannelSerializer(many=True, required=False)
