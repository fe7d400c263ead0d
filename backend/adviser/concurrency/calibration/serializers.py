"""Serializers of calibrations."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.adviser.concurrency.calibration.models import State
from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.adviser.calibration.bounds import MOST_ROW_BYTES, MOST_ROWS, MOST_S, WRITERS

STATES = [state.value for state in State]


class HeartbeatInSerializer(StrictSerializer):
    """The confirmation of a heartbeat."""

    confirm = PlainTextField(max_length=64, help_text="the link's name")
    reason = PlainTextField(max_length=2000, help_text="for the audit log")


class CalibrationInSerializer(StrictSerializer):
    """The confirmation of a calibration, and its bounds."""

    confirm = PlainTextField(max_length=64, help_text="the cluster's name")
    reason = PlainTextField(max_length=2000, help_text="for the audit log")
    node = serializers.RegexField(ID_PATTERN, help_text="id of the node that writes")
    seconds = serializers.FloatField(required=False, help_text=f"of all writers together, at most {MOST_S:g}")
    rows = serializers.IntegerField(required=False, help_text=f"for each number of writers, at most {MOST_ROWS}")
    row_bytes = serializers.IntegerField(required=False, help_text=f"at most {MOST_ROW_BYTES}")
    writers = serializers.ListField(
        child=serializers.IntegerField(), max_length=len(WRITERS), required=False, help_text="some of 1, 4 and 16"
    )


class CalibrationLatencySerializer(ShapeSerializer):
    """`wsrep_evs_repl_latency` after the commits."""

    min_ms = serializers.FloatField()
    mean_ms = serializers.FloatField()
    max_ms = serializers.FloatField()
    samples = serializers.IntegerField()


class CalibrationStepSerializer(ShapeSerializer):
    """So many writers at a time; null = unknown, `reason` says why nothing is compared."""

    writers = serializers.IntegerField()
    commits = serializers.IntegerField()
    per_s = serializers.FloatField(allow_null=True)
    p50_ms = serializers.FloatField(allow_null=True, help_text="as the console waited for it")
    p95_ms = serializers.FloatField(allow_null=True)
    model_low_per_s = serializers.FloatField(allow_null=True, help_text="the console's round trip is added")
    model_high_per_s = serializers.FloatField(allow_null=True)
    apart_percent = serializers.FloatField(
        allow_null=True, help_text="by how much the rate is beyond the model's range; 0 inside of it"
    )
    reason = serializers.CharField(allow_blank=True)


class CommitsResultSerializer(ShapeSerializer):
    """What writers reached, beside the model."""

    console_ms = serializers.FloatField(help_text="round trip from the console to the node")
    latency = CalibrationLatencySerializer(allow_null=True)
    latency_reason = serializers.CharField(allow_blank=True)
    send_window = serializers.IntegerField(allow_null=True)
    steps = CalibrationStepSerializer(many=True)


class HeartbeatNodeSerializer(ShapeSerializer):
    """From the write on the active side until the row was seen on this node; null = `reason` says why."""

    node_id = serializers.CharField()
    node = serializers.CharField()
    median_ms = serializers.FloatField(allow_null=True)
    error_ms = serializers.FloatField(
        allow_null=True, help_text="the most that the median can be wrong: half a round trip to each server, and polls"
    )
    least_ms = serializers.FloatField(allow_null=True)
    most_ms = serializers.FloatField(allow_null=True)
    is_bound = serializers.BooleanField(help_text="only an upper bound is known: `median_ms` + `error_ms`")
    seen = serializers.IntegerField()
    missed = serializers.IntegerField()
    reason = serializers.CharField(allow_blank=True)


class HeartbeatResultSerializer(ShapeSerializer):
    """Every node of the standby side."""

    nodes: Any = HeartbeatNodeSerializer(many=True)


class _CalibrationSerializer(ShapeSerializer):
    """One measurement."""

    id = serializers.CharField()
    cluster_id = serializers.CharField()
    link_id = serializers.CharField(allow_null=True)
    node_id = serializers.CharField()
    node = serializers.CharField(help_text="the node that wrote")
    actor = serializers.CharField()
    reason = serializers.CharField()
    state = serializers.ChoiceField(choices=STATES)
    stop_code = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField(allow_blank=True, help_text="why it stopped or failed")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)


class CalibrationSettingsSerializer(ShapeSerializer):
    """The bounds it had."""

    seconds = serializers.FloatField()
    rows = serializers.IntegerField()
    row_bytes = serializers.IntegerField()
    writers = serializers.ListField(child=serializers.IntegerField())


class CalibrationSerializer(_CalibrationSerializer):
    """A calibration of commits."""

    settings = CalibrationSettingsSerializer()
    result = CommitsResultSerializer(allow_null=True)


class CalibrationsSerializer(ShapeSerializer):
    """The newest calibrations of a cluster."""

    results = CalibrationSerializer(many=True)


class HeartbeatSettingsSerializer(ShapeSerializer):
    """How often it wrote."""

    rows = serializers.IntegerField()
    pause_s = serializers.FloatField()


class HeartbeatSerializer(_CalibrationSerializer):
    """A heartbeat over a link."""

    settings = HeartbeatSettingsSerializer()
    result = HeartbeatResultSerializer(allow_null=True)


class LinkHeartbeatSerializer(ShapeSerializer):
    """The newest one of a link; null = `reason`."""

    newest = HeartbeatSerializer(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
