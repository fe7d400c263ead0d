"""Serializers of what a distance does to commits."""

from __future__ import annotations

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
