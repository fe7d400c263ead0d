"""Serializers of the lag of a link over time."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.link_state import LinkState
from backend.monitoring.lag_history.archives import STEPS
from backend.monitoring.lag_history.curve import columns
from backend.monitoring.lag_history.request import DEFAULT_MINUTES

MAX_MINUTES = 3650 * 24 * 60
LINK_STATE = [state.value for state in LinkState]


class LagExportQuerySerializer(StrictSerializer):
    """The time, the resolution and the directions of a lag curve."""

    to = serializers.DateTimeField(required=False, help_text="end of the time, exclusive; now if it is left out")
    minutes = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_MINUTES,
        help_text=f"minutes up to now, instead of `from` and `to`; {DEFAULT_MINUTES} if all three are left out",
    )
    resolution = serializers.ChoiceField(
        choices=STEPS,
        required=False,
        help_text="seconds that one point covers; the finest that is stored for all of the time if it is left out",
    )
    direction = serializers.ChoiceField(
        choices=["forward", "reverse"], required=False, help_text="one direction only; both if it is left out"
    )

    def get_fields(self) -> dict[str, Any]:
        """With `from`, which is no name in Python."""
        begin = serializers.DateTimeField(required=False, help_text="beginning of the time, inclusive")
        return {"from": begin, **super().get_fields()}


class LagQuerySerializer(LagExportQuerySerializer):
    """The same, with a number of points."""

    points = serializers.IntegerField(
        min_value=10,
        max_value=5000,
        default=900,
        help_text="most points if `resolution` is left out, which then is the finest with so many",
    )


class LagPointSerializer(ShapeSerializer):
    """Points have no entry where nothing was sampled; null is a value that was unknown in all samples."""

    at = serializers.DateTimeField(help_text="beginning of the time that the point covers")
    state = serializers.ChoiceField(choices=LINK_STATE, help_text="worst state of the link in that time")
    samples = serializers.IntegerField(help_text="samples in that time")

    def get_fields(self) -> dict[str, Any]:
        """With four values of each measure of each direction."""
        return {**super().get_fields(), **{name: _measured(name) for name in columns()[3:]}}


def _measured(name: str) -> serializers.Field[Any, Any, Any, Any]:
    unit = "seconds" if "lag_s" in name else "transactions"
    part = name.rpartition("_")[2]
    if part == "unknown":
        return serializers.IntegerField(required=False, help_text="samples in which this was unknown")
    if part in ("min", "max"):
        return serializers.IntegerField(required=False, allow_null=True, help_text=f"{part}imum, in {unit}")
    return serializers.FloatField(required=False, allow_null=True, help_text=f"average of the known values, in {unit}")


class LagEventSerializer(ShapeSerializer):
    """An event of the link in the time of a curve."""

    at = serializers.DateTimeField()
    kind = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    severity = serializers.CharField(help_text="ok, info, warning, unknown or blocker")
    run_id = serializers.CharField(allow_null=True)
    actor = serializers.CharField(allow_null=True)


class LagSerializer(ShapeSerializer):
    """A lag curve with the events of its time."""

    begins_at = serializers.DateTimeField(allow_null=True, help_text="the oldest lag stored of this link; null = none")
    to = serializers.DateTimeField(help_text="end of the time")
    resolution_s = serializers.IntegerField(help_text="seconds that one point covers")
    stored_resolution_s = serializers.IntegerField(
        help_text="resolution of the stored rows that the points are made from; 1 = each sample"
    )
    gap_after_s = serializers.FloatField(help_text="points further apart have a gap between them: nothing was sampled")
    points = LagPointSerializer(many=True)
    events = LagEventSerializer(many=True)
    events_left_out = serializers.IntegerField(help_text="events of the time that are left out, the earliest ones")

    def get_fields(self) -> dict[str, Any]:
        """With `from`, which is no name in Python."""
        begin = serializers.DateTimeField(help_text="beginning of the time")
        return {"from": begin, **super().get_fields()}
