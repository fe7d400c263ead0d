"""Stores what a returned side has that the other never received: business data, stored until it is reconciled."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Cluster, Link
from backend.common import ids


class OrphanScan(models.Model):
    """One list of orphans of one divergence (`divergence_run` is the failover that recorded it).

    A scan that finds the same list again updates `scanned_at` and the log ends instead of creating another one.
    """

    id = models.CharField(primary_key=True, max_length=14, default=ids.scan_id, editable=False)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="orphan_scans")
    divergence_run = models.CharField(max_length=14)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    node_id = models.CharField(max_length=14, blank=True)
    node = models.CharField(max_length=63, blank=True)
    state = models.CharField(max_length=10)
    detail = models.TextField()
    first_position = models.CharField(max_length=240, blank=True)
    last_position = models.CharField(max_length=240, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    transactions = models.PositiveIntegerField(default=0)
    rows = models.PositiveIntegerField(default=0)
    tables = models.JSONField(default=list)
    table_definitions = models.JSONField(default=dict)
    overwritten = models.JSONField(default=dict)
    refusals = models.JSONField(default=list)
    schema_changes = models.JSONField(default=list)
    node_logs = models.JSONField(default=list)
    first_at = models.DateTimeField(null=True)
    last_at = models.DateTimeField(null=True)
    scanned_at = models.DateTimeField()

    class Meta:
        ordering = ["-scanned_at"]

    def __str__(self) -> str:
        return f"{self.link_id} {self.state}"


class Orphan(models.Model):
    """One transaction of a scan; `body` is the core's own serialization, exact to the byte."""

    scan = models.ForeignKey(OrphanScan, on_delete=models.CASCADE, related_name="orphans")
    index = models.PositiveIntegerField()
    body = models.JSONField()

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["scan", "index"], name="orphan_index")]

    def __str__(self) -> str:
        return f"{self.scan_id} {self.index}"
