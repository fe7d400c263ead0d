"""Serializers of the change calendar."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.common.rest.fields import ID_PATTERN, NameField, PlainTextField
from backend.common.rest.outputs import serializer_of
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer
from backend.core.change_calendar.decision import Objection
from backend.core.change_calendar.windows import MAX_MINUTES, CalendarError, zone_of

_WEEKLY = ("zone", "weekdays", "starts", "minutes")
_ONCE = ("opens_at", "closes_at")


class _EntryInSerializer(StrictSerializer):
    """What both kinds of entries take."""

    name = NameField()
    reason = PlainTextField(max_length=500, help_text="reason, shown where an operation is refused")
    links = serializers.ListField(
        child=serializers.RegexField(ID_PATTERN),
        max_length=200,
        default=list,
        help_text="ids of the links it applies to; empty: all links",
    )


class WindowInSerializer(_EntryInSerializer):
    """A change window: weekly, or once."""

    zone = PlainTextField(max_length=64, required=False, help_text="IANA time zone, for example Europe/Berlin")
    weekdays = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6),
        min_length=1,
        max_length=7,
        required=False,
        help_text="0 is Monday, 6 is Sunday",
    )
    starts = serializers.TimeField(required=False, help_text="wall clock of the zone at which it opens")
    minutes = serializers.IntegerField(
        min_value=1, max_value=MAX_MINUTES, required=False, help_text="how long it stays open"
    )
    opens_at = serializers.DateTimeField(required=False)
    closes_at = serializers.DateTimeField(required=False)

    def validate_zone(self, value: str) -> str:
        """Refuse a zone that no worker could evaluate."""
        try:
            zone_of(value)
        except CalendarError as error:
            raise serializers.ValidationError(f"Correct it: {error}. Use a name like Europe/Berlin.") from error
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Either all of the weekly fields or both of the single ones."""
        names = _ONCE if "opens_at" in attrs or "closes_at" in attrs else _WEEKLY
        other_names = _WEEKLY if names is _ONCE else _ONCE
        lacking = [name for name in names if name not in attrs]
        surplus = [name for name in other_names if name in attrs]
        errors = dict.fromkeys(lacking, "Give it: the window is not complete without it.")
        errors |= dict.fromkeys(surplus, "Leave it out: a window is either weekly or opens once.")
        if not errors and names is _ONCE and attrs["closes_at"] <= attrs["opens_at"]:
            errors["closes_at"] = "Choose a time after the opening."
        if errors:
            raise serializers.ValidationError(errors)
        return attrs


class FreezeInSerializer(_EntryInSerializer):
    """A freeze."""

    begins_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """A freeze ends after it begins."""
        if attrs["ends_at"] <= attrs["begins_at"]:
            raise serializers.ValidationError({"ends_at": "Choose a time after the begin."})
        return attrs


class DeleteReasonSerializer(StrictSerializer):
    """Why an entry is deleted."""

    reason = PlainTextField(max_length=2000, help_text="reason, stored in the audit log")


class _EntrySerializer(ShapeSerializer):
    """What both kinds of entries show."""

    id = serializers.CharField()
    name = serializers.CharField()
    reason = serializers.CharField()
    links = serializers.ListField(child=serializers.CharField())
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class WindowSerializer(_EntrySerializer):
    """A change window."""

    zone = serializers.CharField(allow_blank=True)
    weekdays = serializers.ListField(child=serializers.IntegerField())
    starts = serializers.TimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)


class FreezeSerializer(_EntrySerializer):
    """A freeze."""

    begins_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


class ChangeCalendarSerializer(ShapeSerializer):
    """The change calendar."""

    windows = WindowSerializer(many=True)
    freezes = FreezeSerializer(many=True)


class LinkCalendarSerializer(ShapeSerializer):
    """What the calendar says of one link now."""

    link_id = serializers.CharField()
    is_open = serializers.BooleanField(help_text="whether planned operations may start now")
    objections = serializer_of(Objection)(many=True)
    next_start = serializers.DateTimeField(allow_null=True, help_text="when the next planned operation may start")
    has_windows = serializers.BooleanField(help_text="whether a change window applies to the link")
