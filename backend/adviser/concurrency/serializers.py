"""Serializers of what a distance does to commits."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.serializers import ShapeSerializer, StrictSerializer


class ConcurrencyQuerySerializer(StrictSerializer):
    """A matrix of one-way delays, and what is asked of it."""

    delays_ms = serializers.CharField(
        max_length=4_000,
        help_text="one-way delays in ms, rows by semicolons: `0,25;25,0`; a site of an arbitrator counts as one",
    )
    writer = serializers.IntegerField(required=False, help_text="number of the site that writes, from 1; default 1")
    send_window = serializers.IntegerField(required=False, help_text="`evs.user_send_window`; default 2")
    write_set_bytes = serializers.FloatField(required=False, help_text="size of a large write-set; default 0")
    wanted_per_s = serializers.FloatField(required=False, help_text="commits a second that are wanted")
    own_rate_per_s = serializers.FloatField(
        required=False, help_text="commits a second that the cluster reaches without distance"
    )


class SiteLatencySerializer(ShapeSerializer):
    """One commit from a site."""

    site = serializers.IntegerField()
    latency_ms = serializers.FloatField(help_text="the longest closed triangle; measured commits took 1 to 4 ms more")
    round_trips = serializers.FloatField(allow_null=True, help_text="that in longest round trips of the site")
    way = serializers.ListField(child=serializers.IntegerField(), help_text="the sites of that triangle")


class CommitRateSerializer(ShapeSerializer):
    """What a number of writers reaches together; null = not limited by the model."""

    writers = serializers.IntegerField()
    low_per_s = serializers.FloatField(allow_null=True)
    high_per_s = serializers.FloatField(
        allow_null=True, help_text="differs from `low_per_s` for windows between 2 and 512, which were not measured"
    )


class WritersNeededSerializer(ShapeSerializer):
    """The fewest writers that reach the wanted rate; null = `reason` says why there is no number."""

    writers = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class ConcurrencyCellSerializer(ShapeSerializer):
    """Seconds of 500 single-row inserts; null = not measured, or not of this model."""

    threads = serializers.IntegerField()
    delay_ms = serializers.FloatField(help_text="round trip")
    article_s = serializers.FloatField(allow_null=True)
    lab_s = serializers.FloatField(allow_null=True, help_text="`evs.user_send_window` 2")
    lab_large_window_s = serializers.FloatField(allow_null=True, help_text="512")
    model_s = serializers.FloatField(allow_null=True)
    model_large_window_s = serializers.FloatField(allow_null=True)


class ConcurrencySerializer(ShapeSerializer):
    """The model of the given delays, and the measured table."""

    send_window = serializers.IntegerField()
    measured_writers = serializers.IntegerField(help_text="more writers than this were not measured")
    sites = SiteLatencySerializer(many=True)
    rates = CommitRateSerializer(many=True)
    writers_needed = WritersNeededSerializer(allow_null=True)
    write_set_ms = serializers.FloatField(help_text="one commit with a write-set of this size")
    table = ConcurrencyCellSerializer(many=True)


class WritersRangeSerializer(ShapeSerializer):
    """The fewest writers that may suffice, and the fewest that suffice for certain."""

    low = serializers.IntegerField()
    high = serializers.IntegerField()


class RunningLatencySerializer(ShapeSerializer):
    """`wsrep_evs_repl_latency` since the node's last report."""

    min_ms = serializers.FloatField(help_text="with two sites a round trip and 0.2 ms")
    mean_ms = serializers.FloatField()
    max_ms = serializers.FloatField()
    samples = serializers.IntegerField()


class WriteSetCostSerializer(ShapeSerializer):
    """One commit with a write-set of a size; null = `reason` says why."""

    size_bytes = serializers.IntegerField(allow_null=True)
    fragments = serializers.IntegerField(allow_null=True, help_text="messages of 32,636 bytes")
    round_trips = serializers.FloatField(allow_null=True)
    low_ms = serializers.FloatField(allow_null=True, help_text="at the fastest delivery")
    high_ms = serializers.FloatField(allow_null=True, help_text="at the mean delivery")
    reason = serializers.CharField(allow_blank=True)


class RunningAnswersSerializer(ShapeSerializer):
    """What the model says of writers on this node."""

    rates = CommitRateSerializer(many=True, help_text="of 1, 8, 32 and 64 writers; mean to fastest delivery")
    writers_needed = WritersRangeSerializer(allow_null=True, help_text="if this node wrote the whole rate")
    writers_reason = serializers.CharField(allow_blank=True)
    average = WriteSetCostSerializer(help_text="of the last hour's average write-set")
    largest = WriteSetCostSerializer(help_text="of the largest that the node permits: `wsrep_max_ws_size`")


class RunningNodeSerializer(ShapeSerializer):
    """What one node said; null = its reason says why, and what to do."""

    node_id = serializers.CharField()
    node = serializers.CharField()
    members = serializers.IntegerField(allow_null=True, help_text="`wsrep_cluster_size`, arbitrators among them")
    latency = RunningLatencySerializer(allow_null=True)
    latency_reason = serializers.CharField(allow_blank=True)
    send_window = serializers.IntegerField(allow_null=True, help_text="`evs.user_send_window`")
    send_window_reason = serializers.CharField(allow_blank=True)
    answers = RunningAnswersSerializer(allow_null=True)
    answers_reason = serializers.CharField(allow_blank=True)


class WrittenSerializer(ShapeSerializer):
    """What the cluster wrote in the last hour, by the monitor's readings."""

    commits_per_s = serializers.FloatField(allow_null=True)
    average_bytes = serializers.IntegerField(allow_null=True, help_text="of a write-set; null if none was written, too")
    counted_s = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)


class ConcurrencyGivenSerializer(ShapeSerializer):
    """The same as input of `GET /concurrency`, for two sites; null = unknown."""

    from_node = serializers.CharField(allow_null=True, help_text="the node whose fastest delivery takes longest")
    one_way_ms = serializers.FloatField(allow_null=True, help_text="half of its least latency, less 0.2 ms")
    send_window = serializers.IntegerField(allow_null=True)
    wanted_per_s = serializers.FloatField(allow_null=True)


class ClusterConcurrencySerializer(ShapeSerializer):
    """What a running cluster says of its distance, and the model's answers."""

    cluster_id = serializers.CharField()
    cluster_name = serializers.CharField()
    read_at = serializers.DateTimeField()
    registered = serializers.IntegerField(help_text="nodes of this cluster in the console")
    written = WrittenSerializer()
    measured_writers = serializers.IntegerField(help_text="more writers than this were not measured")
    nodes: Any = RunningNodeSerializer(many=True)
    given = ConcurrencyGivenSerializer()
