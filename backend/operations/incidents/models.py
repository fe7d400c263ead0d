"""Incidents: what was lost, the plan of each touched link, and the one confirmation of all.

What became of an item is read from the run of its plan and stored nowhere else: a plan belongs to one item, and a run
to one plan, so an item is started at most once whatever happens to the process that starts it.
"""

from __future__ import annotations

from enum import StrEnum

from django.db import models

from backend.clusters.models import Link
from backend.common import ids
from backend.core.incidents.scope import LinkRole, ScopeKind
from backend.core.incidents.sequence import Rules
from backend.operations.runs.models import Plan


class IncidentState(StrEnum):
    """State of an incident."""

    PLANNED = "planned"
    RUNNING = "running"
    STOPPED = "stopped"
    ENDED = "ended"
    ABORTED = "aborted"


def _choices(values: type[StrEnum]) -> list[tuple[str, str]]:
    return [(value.value, value.value) for value in values]


class Incident(models.Model):
    """Many links, one page and one confirmation.

    `is_ordered`: an operator chose the order, so that it is not proposed again. `round` grows with each confirmation.
    `digest` is what the last one covers, `mac` the console's proof of it: write access to the database alone cannot
    confirm an incident. `token_id` is the token with which it was confirmed; empty without one.
    `people_behind` are the names of who could act as `confirmed_by` then; null if an earlier version stored it.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.incident_id, editable=False)
    name = models.CharField(max_length=63)
    scope_kind = models.CharField(max_length=5, choices=_choices(ScopeKind))
    scope_value = models.CharField(max_length=63, blank=True)
    scope_name = models.CharField(max_length=63, blank=True)
    state = models.CharField(max_length=8, choices=_choices(IncidentState), db_index=True)
    version = models.PositiveIntegerField(default=1)
    at_once = models.PositiveSmallIntegerField(default=1)
    stop_at_failure = models.BooleanField(default=True)
    is_ordered = models.BooleanField(default=False)
    round = models.PositiveSmallIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    mac = models.CharField(max_length=64, blank=True)
    reason = models.TextField(blank=True)
    confirmed_by = models.CharField(max_length=80, blank=True)
    token_id = models.CharField(max_length=14, blank=True, default="", db_default="")
    people_behind = models.JSONField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.id} {self.name} {self.state}"

    @property
    def rules(self) -> Rules:
        """How the operations are started."""
        return Rules(self.at_once, self.stop_at_failure)


class IncidentItem(models.Model):
    """A touched link with its proposed operation and the plan of it.

    `planning_round` counts the requests for a plan; `planning` is set until the last one is answered. `problem` says
    why no plan could be made, why the plan was not started, or why an approval did not count. A worker is not woken
    again for the item until `dispatched_until`, nor is its plan made by another one until `planning_until`.
    """

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="items")
    link = models.ForeignKey(Link, on_delete=models.PROTECT, related_name="incident_items")
    position = models.PositiveSmallIntegerField()
    role = models.CharField(max_length=7, choices=_choices(LinkRole))
    why = models.TextField(blank=True)
    kind = models.CharField(max_length=20, blank=True)
    label = models.CharField(max_length=200, blank=True)
    no_operation = models.TextField(blank=True)
    options = models.JSONField(default=dict)
    at_risk = models.PositiveIntegerField(null=True)
    outage_since = models.DateTimeField(null=True)
    is_left_out = models.BooleanField(default=False)
    is_confirmed = models.BooleanField(default=False)
    plan = models.OneToOneField(Plan, null=True, on_delete=models.PROTECT, related_name="incident_item")
    earlier_plans = models.JSONField(default=list)
    planning = models.BooleanField(default=False)
    planning_round = models.PositiveSmallIntegerField(default=0)
    planned_by = models.CharField(max_length=80, blank=True)
    planning_until = models.DateTimeField(null=True)
    dispatched_until = models.DateTimeField(null=True)
    problem_code = models.CharField(max_length=40, blank=True)
    problem = models.TextField(blank=True)

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["incident", "link"], name="incident_link_once")]

    def __str__(self) -> str:
        return f"{self.incident_id} {self.position} {self.link_id}"


class IncidentApproval(models.Model):
    """A second person's approval of one confirmation; each run that needs an approval gets its own by it.

    `token_id` is the token with which it was given; empty without one.
    """

    incident = models.ForeignKey(Incident, on_delete=models.CASCADE, related_name="approvals")
    round = models.PositiveSmallIntegerField()
    digest = models.CharField(max_length=64)
    approver = models.CharField(max_length=80)
    token_id = models.CharField(max_length=14, blank=True, default="", db_default="")
    comment = models.TextField(blank=True)
    at = models.DateTimeField()
    mac = models.CharField(max_length=64)

    class Meta:
        ordering = ["round"]
        constraints = [models.UniqueConstraint(fields=["incident", "round"], name="incident_approval_round")]

    def __str__(self) -> str:
        return f"{self.incident_id} {self.round} {self.approver}"
