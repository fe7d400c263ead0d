"""The record and its head; a record is written once and never again."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models


class AppendOnlyError(Exception):
    """Somebody tried to change or delete an audit record."""


class RecordQuerySet(models.QuerySet["AuditRecord"]):
    """Reads; every way to change rows is closed."""

    def update(self, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise AppendOnlyError("Audit records are never changed.")

    def delete(self) -> NoReturn:
        """Refused."""
        raise AppendOnlyError("Audit records are never deleted.")

    def bulk_update(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise AppendOnlyError("Audit records are never changed.")


class AuditRecord(models.Model):
    """What somebody did; `hash` covers all other fields and the hash before it.

    `key_id` names the audit key that the hash was made with; blank in records of before there was one.
    """

    seq = models.PositiveBigIntegerField(primary_key=True)
    at = models.DateTimeField(db_index=True)
    actor = models.CharField(max_length=80, db_index=True)
    action = models.CharField(max_length=80, db_index=True)
    link_id = models.CharField(max_length=14, blank=True, db_index=True)
    run_id = models.CharField(max_length=14, blank=True, db_index=True)
    target = models.CharField(max_length=200, blank=True)
    reason = models.TextField(blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    source_ip = models.CharField(max_length=45, blank=True)
    facts = models.JSONField(default=dict)
    prev_hash = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    key_id = models.CharField(max_length=16, blank=True, default="")

    objects = RecordQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.seq} {self.actor} {self.action}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert only."""
        if not self._state.adding:
            raise AppendOnlyError("Audit records are never changed.")
        kwargs["force_insert"] = True
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused."""
        raise AppendOnlyError("Audit records are never deleted.")


class AuditHead(models.Model):
    """Where the chain ends: its lock orders the writers, its hash shows a missing tail, its MAC who set it."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)
    installation_id = models.CharField(max_length=36, blank=True, default="")
    key_id = models.CharField(max_length=16, blank=True, default="")
    mac = models.CharField(max_length=64, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.seq} {self.hash}"


class AuditCheckpoint(models.Model):
    """How far a walk along the chain came, and what it found; its MAC says that the console itself walked.

    One row says up to where the chain is verified, another how far the walk of all records is.
    """

    name = models.CharField(max_length=20, primary_key=True)
    seq = models.PositiveBigIntegerField()
    hash = models.CharField(max_length=64)
    is_keyed = models.BooleanField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    bad_seq = models.PositiveBigIntegerField(null=True)
    reason = models.CharField(max_length=30, blank=True)
    detail = models.TextField(blank=True)
    key_id = models.CharField(max_length=16)
    mac = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.name} {self.seq}"
