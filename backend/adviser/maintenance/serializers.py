"""What callers give of a node's maintenance."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import PlainTextField
from backend.common.rest.serializers import StrictSerializer
from backend.core.adviser.state_transfer.forecast import Method

METHOD = [method.value for method in Method]


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


class MaintenanceEndSerializer(StrictSerializer):
    """Why it ends now."""

    reason = PlainTextField(max_length=500)
