"""Stores what a link allows without an operator, and what was done."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Link, Node
from backend.core.automation import Mode

MODES = [mode.value for mode in Mode]


class LinkAutomation(models.Model):
    """One link's policy, its watch state, and its last action.

    `set_by` and `acknowledged_by` are behind the runs that it starts: neither approves them. Nor does any of
    `people_behind`, who could act as one of both at that time; null if an earlier version stored it. `token_id` is the
    token with which it was set; empty without one.
    `watch_state` is passed from observation to observation; `acted_at` starts the pause, `acknowledged_at` ends it.
    """

    link = models.OneToOneField(Link, on_delete=models.CASCADE, primary_key=True, related_name="automation")
    set_by = models.CharField(max_length=80, blank=True, default="", db_default="")
    token_id = models.CharField(max_length=14, blank=True, default="", db_default="")
    mode = models.CharField(max_length=7, choices=[(mode, mode) for mode in MODES], default=Mode.OFF.value)
    loss_for_s = models.PositiveIntegerField(default=30)
    block_s = models.PositiveIntegerField(default=3600)
    watch_state = models.JSONField(default=dict)
    reason = models.TextField(blank=True)
    observed_at = models.DateTimeField(null=True)
    acted_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    acknowledged_by = models.CharField(max_length=80, blank=True, default="", db_default="")
    people_behind = models.JSONField(null=True)
    retry_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    last_plan_id = models.CharField(max_length=14, blank=True)
    last_run_id = models.CharField(max_length=14, blank=True)
    last_outcome = models.CharField(max_length=16, blank=True)
    last_reason = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.link_id} {self.mode}"


class ReturnedNode(models.Model):
    """A node of a lost side that returned since the failover, as of its current server start.

    `begins` is the end of its own log at that time; `run_id` the last run that was to fence it, `attempts` the number
    of such runs since this start.
    """

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="returned_nodes")
    failover_run = models.CharField(max_length=14)
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    started_at = models.DateTimeField(null=True)
    returned_at = models.DateTimeField()
    begins = models.CharField(max_length=240, blank=True)
    run_id = models.CharField(max_length=14, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    tried_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "failover_run", "node"], name="returned_node_once")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.node_id}"


class AutomaticStart(models.Model):
    """Whether a link's channel that stopped without an error is started automatically, its limit, and what was done.

    `set_by` is behind the runs that it starts, and `people_behind`, who could act as that one then; null if an earlier
    version stored it. `token_id` is the token with which it was set; empty without one. `acts` are the times of the
    last starts (Unix); the row is the claim: only one of two monitors changes it.
    """

    link = models.OneToOneField(Link, on_delete=models.CASCADE, primary_key=True, related_name="automatic_start")
    set_by = models.CharField(max_length=80, blank=True, default="", db_default="")
    token_id = models.CharField(max_length=14, blank=True, default="", db_default="")
    people_behind = models.JSONField(null=True)
    enabled = models.BooleanField(default=False)
    most_per_hour = models.PositiveIntegerField(default=3)
    watch_state = models.JSONField(default=dict)
    acts = models.JSONField(default=list)
    version = models.PositiveIntegerField(default=0)
    reason = models.TextField(blank=True)
    observed_at = models.DateTimeField(null=True)
    retry_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    last_plan_id = models.CharField(max_length=14, blank=True)
    last_run_id = models.CharField(max_length=14, blank=True)
    last_outcome = models.CharField(max_length=16, blank=True)
    last_reason = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"{self.link_id} {'on' if self.enabled else 'off'}"
