"""Audit records, their head, and who else has them; a record is written once and never changed."""

from __future__ import annotations

from typing import Any, NoReturn

from django.db import models


class AppendOnlyError(Exception):
    """An attempt to change or delete an audit record."""


class RecordQuerySet(models.QuerySet["AuditRecord"]):
    """Allows reading only."""

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
    """A recorded action; `hash` covers all other fields and the previous hash.

    `key_id` names the audit key of the hash; it is blank in records from before the first key.
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
    """The end of the chain. Its lock orders the writers, its hash shows missing records, its MAC proves who set it."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    seq = models.PositiveBigIntegerField(default=0)
    hash = models.CharField(max_length=64)
    installation_id = models.CharField(max_length=36, blank=True, default="")
    key_id = models.CharField(max_length=16, blank=True, default="")
    mac = models.CharField(max_length=64, blank=True, default="")

    def __str__(self) -> str:
        return f"{self.seq} {self.hash}"


class AuditCheckpoint(models.Model):
    """How far a verification has come, and its result; its MAC proves that Hawser itself verified.

    One row states up to where the chain is verified, another how far the verification of all records is.
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


class AuditForwarding(models.Model):
    """How far a receiver outside of the database has the log, and since when it has not been reached."""

    receiver = models.CharField(max_length=20, primary_key=True)
    seq = models.PositiveBigIntegerField(default=0)
    failing_since = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.receiver} {self.seq}"
