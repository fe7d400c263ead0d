"""What a caller gives of a cluster's bandwidth."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.serializers import StrictSerializer


class LineCapacityInSerializer(StrictSerializer):
    """The capacity of the line between the sites, or of the nodes' connection where there is one site."""

    mbit_per_s = serializers.FloatField(allow_null=True, help_text="0.1 to 1,000,000 Mbit/s; null removes it")
