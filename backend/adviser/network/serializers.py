"""Serializers of the network endpoints."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.adviser.network.probe_result import MAX_OUTPUT_CHARS
from backend.core.adviser.network.verdict import Effect, Kind

VERDICTS = [kind.value for kind in Kind]
EFFECTS = [effect.value for effect in Effect]


class NetworkQuerySerializer(StrictSerializer):
    """What the applications need."""

    max_commit_ms = serializers.FloatField(
        default=25.0, min_value=0.1, max_value=10_000, help_text="longest time in ms that a commit may take"
    )
    peak_write_mbit_s = serializers.FloatField(
        required=False, min_value=0.001, max_value=1_000_000, help_text="rate of write-sets at their peak, in Mbit/s"
    )


class ProbeTokenInSerializer(StrictSerializer):
    """The two nodes between which the script will measure."""

    from_node = serializers.RegexField(ID_PATTERN, help_text="id of the node that measures")
    to_node = serializers.RegexField(ID_PATTERN, help_text="id of the node of the other cluster")


class ProbeTokenSerializer(ShapeSerializer):
    """A token for one result; `token` is returned only here."""

    id = serializers.CharField()
    token = serializers.CharField()
    from_node = serializers.CharField(source="from_node_id")
    to_node = serializers.CharField(source="to_node_id")
    expires_at = serializers.DateTimeField()


class NetworkResultInSerializer(StrictSerializer):
    """What the script sends."""

    token = PlainTextField(max_length=100)
    result = serializers.DictField(help_text="the document as the script printed it")


class NetworkPasteInSerializer(StrictSerializer):
    """A result of the script, which names its nodes and its time itself."""

    output = serializers.CharField(max_length=MAX_OUTPUT_CHARS, trim_whitespace=False)


class NetworkLatencySerializer(ShapeSerializer):
    """Round trips in ms; null is unknown."""

    min_ms = serializers.FloatField(allow_null=True)
    mean_ms = serializers.FloatField(allow_null=True)
    p50_ms = serializers.FloatField(allow_null=True)
    p95_ms = serializers.FloatField(allow_null=True)
    p99_ms = serializers.FloatField(allow_null=True)
    max_ms = serializers.FloatField(allow_null=True)


class NetworkExchangeSerializer(ShapeSerializer):
    """Requests and responses of one size."""

    request_bytes = serializers.IntegerField(allow_null=True)
    response_bytes = serializers.IntegerField(allow_null=True)
    in_flight = serializers.IntegerField(allow_null=True, help_text="requests that wait for a response at a time")
    transactions = serializers.IntegerField(allow_null=True)
    rate_per_s = serializers.FloatField(allow_null=True)
    sent_mbit_s = serializers.FloatField(allow_null=True)
    received_mbit_s = serializers.FloatField(allow_null=True)
    latency = NetworkLatencySerializer()


class NetworkMeasurementSerializer(ShapeSerializer):
    """One measurement; `sent` is from `from_node` to `to_node`. Null is unknown."""

    id = serializers.CharField()
    from_node_id = serializers.CharField()
    from_node = serializers.CharField()
    to_node_id = serializers.CharField()
    to_node = serializers.CharField()
    is_signed = serializers.BooleanField(help_text="false: pasted, not signed")
    is_recent = serializers.BooleanField(help_text="the verdict rests on it")
    actor = serializers.CharField()
    measured_at = serializers.DateTimeField()
    stored_at = serializers.DateTimeField()
    remote_address = serializers.CharField(allow_blank=True)
    round_trip = NetworkLatencySerializer(allow_null=True)
    exchanges = NetworkExchangeSerializer(many=True)
    sent_mbit_s = serializers.FloatField(allow_null=True)
    received_mbit_s = serializers.FloatField(allow_null=True)
    packets = serializers.IntegerField(allow_null=True, help_text="of which some were sent again")
    retransmitted_percent = serializers.FloatField(allow_null=True)
    path_mtu_bytes = serializers.IntegerField(allow_null=True)
    clock_offset_ms = serializers.FloatField(allow_null=True, help_text="how far the clock of `to_node` is ahead")
    clock_error_ms = serializers.FloatField(allow_null=True, help_text="the most that the offset can be wrong")
    congestion_control = serializers.CharField(allow_blank=True)
    remote_congestion_control = serializers.CharField(allow_blank=True)
    host_settings = serializers.DictField(child=serializers.CharField())
    remote_host_settings = serializers.DictField(child=serializers.CharField())


class NetworkReasonSerializer(ShapeSerializer):
    """One fact with its figures, and what it speaks for."""

    code = serializers.CharField()
    effect = serializers.ChoiceField(choices=EFFECTS)
    sentence = serializers.CharField()


class NetworkVerdictSerializer(ShapeSerializer):
    """Whether one Galera cluster can span the two sites."""

    kind = serializers.ChoiceField(choices=VERDICTS)
    sentence = serializers.CharField()
    reasons = NetworkReasonSerializer(many=True)
    rests_on = serializers.IntegerField(help_text="number of measurements")
    unsigned = serializers.IntegerField(help_text="how many of them were pasted")
    max_commit_ms = serializers.FloatField()
    peak_write_mbit_s = serializers.FloatField(allow_null=True)
    remote_nodes = serializers.IntegerField()


class NetworkScriptSerializer(ShapeSerializer):
    """The script that hosts download from this console."""

    sha256 = serializers.CharField()
    bytes = serializers.IntegerField()


class NetworkSerializer(ShapeSerializer):
    """The newest measurements of a link, newest first, and the verdict."""

    verdict = NetworkVerdictSerializer()
    measurements = NetworkMeasurementSerializer(many=True)
    script = NetworkScriptSerializer()


class NetworkGroupLatencySerializer(ShapeSerializer):
    """`wsrep_evs_repl_latency`: delivery to all members of the node's own cluster."""

    min_ms = serializers.FloatField()
    mean_ms = serializers.FloatField()
    max_ms = serializers.FloatField()
    samples = serializers.IntegerField()


class NetworkDelayedSerializer(ShapeSerializer):
    """`wsrep_evs_delayed`: a member whose messages came late."""

    address = serializers.CharField()
    times = serializers.IntegerField()


class NetworkNodeSerializer(ShapeSerializer):
    """What one node says by SQL; null is unknown."""

    node_id = serializers.CharField()
    node = serializers.CharField()
    cluster = serializers.CharField()
    console_round_trip_ms = serializers.FloatField(allow_null=True, help_text="from the console, the least of ten")
    group_latency = NetworkGroupLatencySerializer(allow_null=True)
    delayed = NetworkDelayedSerializer(many=True, allow_null=True)
    cluster_size = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)


class NetworkSqlSerializer(ShapeSerializer):
    """What the nodes of a link say by SQL alone."""

    read_at = serializers.DateTimeField()
    nodes: Any = NetworkNodeSerializer(many=True)
