"""What callers give of calibrations."""

from __future__ import annotations

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, PlainTextField
from backend.common.rest.serializers import StrictSerializer
from backend.core.adviser.calibration.bounds import MOST_ROW_BYTES, MOST_ROWS, MOST_S, WRITERS


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
