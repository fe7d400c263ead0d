"""Serializers of what a node's maintenance needs to know."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.adviser.node_absence.forecast import Verdict
from backend.core.adviser.node_absence.rates import Window
from backend.core.adviser.state_transfer.forecast import Method, PartName

WINDOW = [window.value for window in Window]
KNOWN = ["known", "unknown"]
METHOD = [method.value for method in Method]
TIME_STATE = ["known", "unlimited", "unknown"]


class WriteRateSerializer(ShapeSerializer):
    """How much the cluster wrote within a time; null = unknown, and `reason` says why."""

    window = serializers.ChoiceField(choices=WINDOW)
    length_s = serializers.FloatField(help_text="seconds of this time")
    covered_s = serializers.IntegerField(allow_null=True, help_text="seconds of it in which write-sets were counted")
    write_sets_per_s = serializers.FloatField(allow_null=True)
    bytes_per_s = serializers.FloatField(allow_null=True, help_text="bytes of write-sets a second")
    reason = serializers.CharField(allow_blank=True)


class AbsenceTimeSerializer(ShapeSerializer):
    """From now on, at one of the rates, until the node needs an SST."""

    window = serializers.ChoiceField(choices=WINDOW)
    state = serializers.ChoiceField(
        choices=TIME_STATE, help_text="unlimited = nothing was written in this time; unknown = `reason` says why"
    )
    seconds = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class GcacheSerializer(ShapeSerializer):
    """A node's gcache as last read; null = unknown."""

    size_bytes = serializers.IntegerField(allow_null=True, help_text="`gcache.size`")
    cached_downto = serializers.IntegerField(allow_null=True, help_text="seqno of its oldest write-set")
    held_write_sets = serializers.IntegerField(allow_null=True)
    is_full = serializers.BooleanField(
        allow_null=True, help_text="whether it drops its oldest write-sets: then what it holds is its capacity"
    )
    reason = serializers.CharField(allow_blank=True)


class DonorSerializer(ShapeSerializer):
    """Another node of the cluster as a donor."""

    id = serializers.CharField()
    name = serializers.CharField()
    is_possible = serializers.BooleanField(help_text="whether it is a synced member that was read")
    is_advised = serializers.BooleanField(help_text="the one to name in `wsrep_sst_donor`")
    reasons_for = serializers.ListField(child=serializers.CharField())
    reasons_against = serializers.ListField(child=serializers.CharField())


class NodeAbsenceEntrySerializer(ShapeSerializer):
    """A node: what it would receive if it joined now, and for how long it may be away."""

    id = serializers.CharField()
    name = serializers.CharField()
    verdict = serializers.ChoiceField(choices=[verdict.value for verdict in Verdict])
    reason = serializers.CharField()
    last_seqno = serializers.IntegerField(
        allow_null=True, help_text="it applied at least up to here; null = unknown, or of another history"
    )
    last_read_at = serializers.DateTimeField(allow_null=True, help_text="when that was read")
    missed_write_sets = serializers.IntegerField(allow_null=True)
    times = AbsenceTimeSerializer(many=True)
    gcache = GcacheSerializer()
    segment = serializers.CharField(allow_null=True, help_text="`gmcast.segment`")
    donors = DonorSerializer(many=True)
    alarm_since = serializers.DateTimeField(allow_null=True, help_text="since when its time is below the threshold")


class NodeAbsenceSerializer(ShapeSerializer):
    """All nodes of a cluster."""

    cluster_id = serializers.CharField()
    cluster_name = serializers.CharField()
    at = serializers.DateTimeField()
    threshold_s = serializers.FloatField(allow_null=True, help_text="below it a warning is raised; null = never")
    rates = WriteRateSerializer(many=True)
    nodes = NodeAbsenceEntrySerializer(many=True)


class StateTransferQuerySerializer(StrictSerializer):
    """What Hawser does not read of the servers, or what is to be assumed instead."""

    data_bytes = serializers.FloatField(required=False, help_text="size of the data; without it the copy is unknown")
    method = serializers.CharField(
        required=False, help_text=f"{', '.join(METHOD)}; without it `wsrep_sst_method` of the joiner"
    )
    line_mbit_per_s = serializers.FloatField(required=False, help_text="the slowest line between donor and joiner")
    throughput_mb_per_s = serializers.FloatField(
        required=False, help_text="MB/s (10^6 bytes) that an earlier copy reached"
    )
    apply_per_s = serializers.FloatField(
        required=False, help_text="write-sets a second that the joiner applies; without it the highest rate seen"
    )


class TransferPartSerializer(ShapeSerializer):
    """A part of the time."""

    name = serializers.ChoiceField(choices=[part.value for part in PartName])
    state = serializers.ChoiceField(choices=KNOWN)
    seconds = serializers.FloatField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="why it is unknown")
    basis = serializers.CharField(help_text="what the figure is from")


class JoinerSerializer(ShapeSerializer):
    """An SST to one node."""

    id = serializers.CharField()
    name = serializers.CharField()
    method = serializers.ChoiceField(choices=METHOD, allow_null=True)
    parts = TransferPartSerializer(many=True)
    known_s = serializers.FloatField(help_text="sum of the known parts")
    is_whole = serializers.BooleanField(help_text="whether every part is known; if not, it takes at least `known_s`")
    queued_bytes = serializers.IntegerField(
        allow_null=True, help_text="write-sets that the joiner stores until it catches up; null = unknown"
    )
    apply_per_s = serializers.FloatField(allow_null=True, help_text="write-sets a second that were assumed")
    donors = DonorSerializer(many=True)


class TuningSerializer(ShapeSerializer):
    """One thing to set or check before an SST."""

    key = serializers.CharField()
    title = serializers.CharField()
    what = serializers.CharField()
    evidence = serializers.CharField(help_text="what was measured of it, where, and what was not")


class TransferRunSerializer(ShapeSerializer):
    """An SST that was run."""

    case = serializers.CharField()
    seconds = serializers.FloatField()
    data_bytes = serializers.FloatField()
    source = serializers.CharField()  # type: ignore[assignment]
    note = serializers.CharField(allow_blank=True)


class StateTransferSerializer(ShapeSerializer):
    """The forecast of an SST to each node, and what shortens it."""

    cluster_id = serializers.CharField()
    cluster_name = serializers.CharField()
    at = serializers.DateTimeField()
    joiners = JoinerSerializer(many=True)
    checklist = TuningSerializer(many=True)
    runs = TransferRunSerializer(many=True)
