"""Measurements that wrote to the probe schema."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Cluster, Link, Node
from backend.common import ids


class Kind(models.TextChoices):
    """What was measured."""

    COMMITS = "commits"
    HEARTBEAT = "heartbeat"


class State(models.TextChoices):
    """What became of it; `interrupted`: the process that measured ended."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class Calibration(models.Model):
    """One measurement; `unfinished` is unique, so that one goes on at a time."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.calibration_id, editable=False)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    link = models.ForeignKey(Link, on_delete=models.CASCADE, null=True, related_name="+")
    node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    actor = models.CharField(max_length=80)
    reason = models.TextField()
    settings = models.JSONField(default=dict)
    state = models.CharField(max_length=12, choices=State.choices, default=State.RUNNING)
    stop_code = models.CharField(max_length=40, blank=True)
    sentence = models.TextField(blank=True)
    result = models.JSONField(null=True)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)
    unfinished = models.BooleanField(null=True, unique=True, default=True)

    class Meta:
        indexes = [
            models.Index(fields=["cluster", "kind", "started_at"], name="calibration_cluster"),
            models.Index(fields=["link", "kind", "started_at"], name="calibration_link"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.cluster_id} {self.state}"
