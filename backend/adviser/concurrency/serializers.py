"""What is asked of a distance."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.serializers import StrictSerializer


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
