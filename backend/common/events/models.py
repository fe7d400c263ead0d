"""The table of events. Ids grow, and rows are dropped after their retention time."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class EventType(models.TextChoices):
    """The kind of change that an event reports."""

    LINK_UPDATED = "link.updated"
    RUN_UPDATED = "run.updated"
    STEP_UPDATED = "step.updated"
    INCIDENT_UPDATED = "incident.updated"
    RAISED = "event.raised"


class Event(models.Model):
    """`data` is sent unchanged; for `event.raised` it holds kind, severity, message, actor and subject."""

    type = models.CharField(max_length=20, choices=EventType.choices)
    at = models.DateTimeField(default=timezone.now)
    link_id = models.CharField(max_length=14, blank=True)
    run_id = models.CharField(max_length=14, blank=True)
    data = models.JSONField()

    class Meta:
        indexes = [
            models.Index(fields=["link_id", "type", "id"], name="event_link_type"),
            models.Index(fields=["run_id", "id"], name="event_run"),
            models.Index(fields=["type", "at"], name="event_type_at"),
        ]

    def __str__(self) -> str:
        return f"{self.pk} {self.type}"
