"""What callers give of the network."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.serializers import StrictSerializer
from backend.core.adviser.network.probe_result import MAX_OUTPUT_CHARS


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


class NetworkResultInSerializer(StrictSerializer):
    """What the script sends."""

    token = PlainTextField(max_length=100)
    result = serializers.DictField(help_text="the document as the script printed it")


class NetworkPasteInSerializer(StrictSerializer):
    """A result of the script, which names its nodes and its time itself."""

    output = serializers.CharField(max_length=MAX_OUTPUT_CHARS, trim_whitespace=False)
