"""Responses stored for repeated calls, and heartbeats of the processes."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class IdempotencyRecord(models.Model):
    """One unsafe call under its caller's key; `status` is empty while it is in progress, by `owner`."""

    caller = models.CharField(max_length=80)
    key = models.CharField(max_length=128)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    content_type = models.CharField(max_length=80, blank=True)
    body = models.JSONField(null=True)
    owner = models.CharField(max_length=160, blank=True, db_default="")
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["caller", "key"], name="idempotency_caller_key")]

    def __str__(self) -> str:
        return f"{self.caller} {self.key}"


class ProcessHeartbeat(models.Model):
    """When a process last wrote that it does its work, and how much its clock was ahead of the database's."""

    kind = models.CharField(max_length=20)
    instance = models.CharField(max_length=120)
    seen_at = models.DateTimeField(db_index=True)
    clock_offset_s = models.FloatField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "instance"], name="heartbeat_kind_instance")]

    def __str__(self) -> str:
        return f"{self.kind} {self.instance}"
