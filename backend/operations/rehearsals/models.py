"""Stores the results of rehearsals, and their schedules."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Link
from backend.common import ids


class RehearsalState(models.TextChoices):
    """Whether a run of the operation would have been possible."""

    PASSED = "passed"
    FAILED = "failed"


class Rehearsal(models.Model):
    """One rehearsal; JSON columns hold the parts of its plan."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.rehearsal_id, editable=False)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="rehearsals")
    kind = models.CharField(max_length=20)
    state = models.CharField(max_length=6, choices=RehearsalState.choices)
    at = models.DateTimeField()
    actor = models.CharField(max_length=80)
    options = models.JSONField(default=dict)
    summary = models.TextField(blank=True)
    sentence = models.TextField(blank=True)
    duration_ms = models.FloatField()
    timings = models.JSONField(default=list)
    estimate_s = models.FloatField(null=True)
    loss = models.JSONField(default=dict)
    findings = models.JSONField(default=list)
    positions = models.JSONField(default=list)
    steps = models.JSONField(default=list)

    class Meta:
        indexes = [
            models.Index(fields=["link", "kind", "at"], name="rehearsal_newest"),
            models.Index(fields=["link", "kind", "state", "at"], name="rehearsal_results"),
            models.Index(fields=["link", "at"], name="rehearsal_of_link"),
            models.Index(fields=["at"], name="rehearsal_age"),
        ]

    def __str__(self) -> str:
        return f"{self.link_id} {self.kind} {self.state}"


class RehearsalSchedule(models.Model):
    """Whether, how often and with which operations a link is rehearsed automatically."""

    link = models.OneToOneField(Link, on_delete=models.CASCADE, primary_key=True, related_name="rehearsal_schedule")
    enabled = models.BooleanField(default=False)
    every_hours = models.PositiveSmallIntegerField(default=24)
    kinds = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"{self.link_id} {'on' if self.enabled else 'off'}"
