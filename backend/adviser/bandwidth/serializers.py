"""Serializers of the bandwidth of a cluster. Bytes are a second and on the wire unless said."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.adviser.advice.model import Risk
from backend.core.adviser.bandwidth.capacity import UntilState
from backend.core.adviser.bandwidth.line import LineKind
from backend.core.adviser.node_absence.rates import Window

RISK = [risk.value for risk in Risk]
WINDOW = [window.value for window in Window]
LINE_KIND = [*(kind.value for kind in LineKind), "unknown"]
UNTIL_STATE = [state.value for state in UntilState]


class LineCapacityInSerializer(StrictSerializer):
    """The capacity of the line between the sites, or of the nodes' connection where there is one site."""

    mbit_per_s = serializers.FloatField(allow_null=True, help_text="0.1 to 1,000,000 Mbit/s; null removes it")


class OwnWritesSerializer(ShapeSerializer):
    """Write-sets that a node replicated itself; null = unknown, and `reason` says why."""

    window = serializers.ChoiceField(choices=WINDOW)
    bytes_per_s = serializers.FloatField(allow_null=True, help_text="of write-sets")
    reason = serializers.CharField(allow_blank=True)


class PlacedNodeSerializer(ShapeSerializer):
    """A node and its segment."""

    id = serializers.CharField()
    name = serializers.CharField()
    segment = serializers.CharField(allow_null=True, help_text="`gmcast.segment`; null: not read")
    is_member = serializers.BooleanField(help_text="a synced member now")
    written = OwnWritesSerializer(many=True)


class BandwidthAdviceSerializer(ShapeSerializer):
    """Advice on segments or multicast, dismissed or not; `GET /clusters/ID/advice` has the changes."""

    code = serializers.CharField()
    risk = serializers.ChoiceField(choices=RISK)
    title = serializers.CharField()
    fact = serializers.CharField()
    consequence = serializers.CharField()
    remedy = serializers.CharField()
    evidence = serializers.CharField()


class ByteSpanSerializer(ShapeSerializer):
    """Bounds of bytes a second on the wire."""

    low = serializers.FloatField()
    high = serializers.FloatField()


class PairSpanSerializer(ByteSpanSerializer):
    """From one node or segment to another."""

    sender = serializers.CharField()
    receiver = serializers.CharField()


class OutboundSerializer(ByteSpanSerializer):
    """All that a node sends."""

    node = serializers.CharField()


class ComputedTrafficSerializer(ShapeSerializer):
    """Computed from the write rates of a time and the segments; empty = unknown, and `reason` says why."""

    window = serializers.ChoiceField(choices=WINDOW)
    reason = serializers.CharField(allow_blank=True)
    pairs = PairSpanSerializer(many=True, help_text="of nodes")
    across = PairSpanSerializer(many=True, help_text="of segments")
    outbound = OutboundSerializer(many=True)
    to_other_members = ByteSpanSerializer(allow_null=True, help_text="to members that are not registered")


class CountRowSerializer(ShapeSerializer):
    """One writer by number of nodes, in one segment and with a segment for each site."""

    nodes = serializers.IntegerField()
    near = serializers.IntegerField(help_text="nodes at the writer's site")
    far = serializers.IntegerField()
    outbound_one = ByteSpanSerializer()
    outbound_two = ByteSpanSerializer()
    across_one = ByteSpanSerializer()
    across_two = ByteSpanSerializer()


class ByCountSerializer(ShapeSerializer):
    """If one node wrote all that the cluster wrote in the last hour; null = unknown."""

    bytes_per_s = serializers.FloatField(allow_null=True, help_text="of write-sets")
    reason = serializers.CharField(allow_blank=True)
    rows = CountRowSerializer(many=True)


class MeasuredBandwidthSerializer(ShapeSerializer):
    """Bytes on the wire for one byte of write-sets, measured on the lab; the article's in KB/s of its writer."""

    near = serializers.IntegerField()
    far = serializers.IntegerField()
    writer_one = serializers.FloatField()
    writer_two = serializers.FloatField()
    across_one = serializers.FloatField()
    across_two = serializers.FloatField()
    article_low_kb = serializers.IntegerField(allow_null=True)
    article_high_kb = serializers.IntegerField(allow_null=True)


class LineCapacitySerializer(ShapeSerializer):
    """The capacity as an operator entered it."""

    mbit_per_s = serializers.FloatField()
    by = serializers.CharField()
    at = serializers.DateTimeField()


class BandwidthLineSerializer(ShapeSerializer):
    """The line whose load is compared: between two segments, or all that one node sends."""

    kind = serializers.ChoiceField(choices=LINE_KIND)
    sender = serializers.CharField(allow_blank=True)
    receiver = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)


class LineLoadSerializer(ShapeSerializer):
    """The load of the line; null = unknown. `share` is that of the upper bound."""

    window = serializers.ChoiceField(choices=WINDOW)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    share = serializers.FloatField(allow_null=True, help_text="of the capacity; 1 is all of it")
    reason = serializers.CharField(allow_blank=True)


class GrowthSerializer(ShapeSerializer):
    """A line through the averages of the last days; null = unknown. Bytes are of write-sets."""

    now_bytes_per_s = serializers.FloatField(allow_null=True)
    per_day = serializers.FloatField(allow_null=True, help_text="bytes a second more each day")
    error = serializers.FloatField(allow_null=True, help_text="of `per_day`, 95 %")
    days = serializers.IntegerField(allow_null=True)
    is_growing = serializers.BooleanField(allow_null=True, help_text="by more than the days' scatter")
    reason = serializers.CharField(allow_blank=True)


class UntilFullSerializer(ShapeSerializer):
    """When the busiest hour takes 80 % of the line."""

    state = serializers.ChoiceField(choices=UNTIL_STATE)
    days = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class BandwidthSerializer(ShapeSerializer):
    """Segments of a cluster, bytes between its nodes, and the line that they take."""

    cluster_id = serializers.CharField()
    cluster_name = serializers.CharField()
    at = serializers.DateTimeField()
    nodes = PlacedNodeSerializer(many=True)
    segments = serializers.ListField(child=serializers.CharField(), allow_null=True)
    segments_reason = serializers.CharField(allow_blank=True)
    other_members = serializers.IntegerField(
        allow_null=True, help_text="members that are not registered, such as an arbitrator; null: unknown"
    )
    advice = BandwidthAdviceSerializer(many=True)
    computed = ComputedTrafficSerializer(many=True)
    by_count = ByCountSerializer()
    measured = MeasuredBandwidthSerializer(many=True)
    capacity = LineCapacitySerializer(allow_null=True)
    line = BandwidthLineSerializer()
    loads = LineLoadSerializer(many=True)
    growth = GrowthSerializer()
    until_full = UntilFullSerializer()
