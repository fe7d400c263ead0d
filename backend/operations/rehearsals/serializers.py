"""Serializers of rehearsals."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from backend.clusters.serializers.clusters import FindingSerializer
from backend.common.rest.pagination import DEFAULT_PAGE, MAX_PAGE
from backend.common.rest.serializers import ShapeSerializer, StrictSerializer, page_of
from backend.core.plans import kinds
from backend.operations.rehearsals.models import RehearsalState
from backend.operations.runs.rest.serializers.loss import LossSerializer
from backend.operations.runs.rest.serializers.plans import (
    PlanOptionsSerializer,
    PositionSerializer,
    StepSerializer,
)

REHEARSED = list(kinds.REHEARSED)
REHEARSAL_STATE = list(RehearsalState.values)


class RehearsalInSerializer(StrictSerializer):
    """The operation to rehearse."""

    kind = serializers.ChoiceField(choices=REHEARSED)
    options = PlanOptionsSerializer(required=False)


class RehearsedCheckSerializer(ShapeSerializer):
    """One check of a rehearsal: its duration and whether it passed."""

    check = serializers.CharField()
    ms = serializers.FloatField()
    ok = serializers.BooleanField()
    sentence = serializers.CharField(allow_blank=True)


class RehearsalSerializer(ShapeSerializer):
    """A rehearsal; `estimate_s` is the estimated duration of a run, null where it is unknown."""

    id = serializers.CharField()
    link_id = serializers.CharField()
    kind = serializers.ChoiceField(choices=REHEARSED)
    state = serializers.ChoiceField(choices=REHEARSAL_STATE)
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    options = serializers.DictField()
    summary = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField(allow_blank=True)
    duration_ms = serializers.FloatField()
    timings = RehearsedCheckSerializer(many=True)
    estimate_s = serializers.FloatField(allow_null=True)
    loss = LossSerializer()
    findings = FindingSerializer(many=True)
    positions = PositionSerializer(many=True)
    steps = StepSerializer(many=True)


class RehearsalQuerySerializer(StrictSerializer):
    """A page of rehearsals, optionally of one kind."""

    kind = serializers.ChoiceField(choices=REHEARSED, required=False)
    cursor = serializers.CharField(required=False, max_length=400)
    limit = serializers.IntegerField(required=False, min_value=1, max_value=MAX_PAGE, default=DEFAULT_PAGE)


class ScheduleInSerializer(StrictSerializer):
    """When to rehearse automatically."""

    enabled = serializers.BooleanField()
    every_hours = serializers.IntegerField(min_value=1, max_value=720)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=REHEARSED), allow_empty=False, max_length=len(REHEARSED)
    )

    def validate_kinds(self, kinds: list[str]) -> list[str]:
        """Check that each kind occurs once."""
        if len(set(kinds)) != len(kinds):
            raise serializers.ValidationError("Name each kind once.")
        return kinds


class ScheduleSerializer(ShapeSerializer):
    """When a link is rehearsed automatically; `next_at` null: as soon as a worker is free, or never while off."""

    enabled = serializers.BooleanField()
    every_hours = serializers.IntegerField()
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=REHEARSED))
    next_at = serializers.DateTimeField(allow_null=True)


RehearsalPageSerializer: type[serializers.Serializer[Any]] = page_of(RehearsalSerializer, "Rehearsal")
