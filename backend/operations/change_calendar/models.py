"""Change windows, freezes, and the overrides of single runs."""

from __future__ import annotations

from django.db import models

from backend.common import ids


class CalendarEntry(models.Model):
    """What windows and freezes have in common; `links` are ids, and none of them means all links."""

    name = models.CharField(max_length=63)
    reason = models.TextField()
    links = models.JSONField(default=list)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.name

    def is_for(self, link_id: str) -> bool:
        """Whether it applies to the link."""
        return not self.links or link_id in self.links


class ChangeWindow(CalendarEntry):
    """When planned operations may start: weekly by `zone`, `weekdays`, `starts` and `minutes`, or once from `opens_at`.

    A link to which no window applies has no restriction.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.change_window_id, editable=False)
    zone = models.CharField(max_length=64, blank=True)
    weekdays = models.JSONField(default=list)
    starts = models.TimeField(null=True)
    minutes = models.PositiveIntegerField(null=True)
    opens_at = models.DateTimeField(null=True)
    closes_at = models.DateTimeField(null=True)


class ChangeFreeze(CalendarEntry):
    """A time in which no planned operation starts."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.change_freeze_id, editable=False)
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()


class CalendarOverride(models.Model):
    """A person's decision that one plan runs in spite of these objections, each with the ids of its entries.

    Its MAC binds them, plan and person.
    """

    plan_id = models.CharField(primary_key=True, max_length=14)
    run_id = models.CharField(max_length=14)
    digest = models.CharField(max_length=64)
    by = models.CharField(max_length=80)
    reason = models.TextField()
    at = models.DateTimeField()
    objections = models.JSONField()
    mac = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.plan_id} {self.by}"
