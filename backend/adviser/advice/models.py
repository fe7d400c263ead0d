"""Stores the configuration of nodes as last read, what is advised on it, what was dismissed and what was told."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Cluster, Link, Node
from backend.common import ids


class StoredConfiguration(models.Model):
    """A node's configuration; `body` is the core's serialization, without passwords."""

    node = models.OneToOneField(Node, on_delete=models.CASCADE, primary_key=True, related_name="configuration")
    read_at = models.DateTimeField()
    body = models.JSONField()

    def __str__(self) -> str:
        return f"{self.node_id} {self.read_at}"


class AdviceDismissal(models.Model):
    """Advice on a cluster or on a link that a person dismissed until `expires_at`, or until it was withdrawn."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.dismissal_id, editable=False)
    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, null=True, related_name="+")
    link = models.ForeignKey(Link, on_delete=models.CASCADE, null=True, related_name="+")
    code = models.CharField(max_length=60)
    fingerprint = models.CharField(max_length=16)
    fact = models.TextField()
    reason = models.TextField()
    by = models.CharField(max_length=80)
    at = models.DateTimeField()
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["cluster", "withdrawn_at", "expires_at"], name="dismissal_cluster"),
            models.Index(fields=["link", "withdrawn_at", "expires_at"], name="dismissal_link"),
        ]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.code}"

    @property
    def subject_id(self) -> str:
        """The id of the cluster or link."""
        return str(self.cluster_id or self.link_id)


class GivenAdvice(models.Model):
    """All advice on a cluster or a link alone, as last judged. `unread`: nodes without which advice may be missing."""

    subject_id = models.CharField(primary_key=True, max_length=14)
    at = models.DateTimeField()
    items = models.JSONField()
    nodes = models.PositiveIntegerField()
    unread = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.subject_id} {self.at}"


class CertificateNotice(models.Model):
    """A certificate whose end was told: the last time `days` before it."""

    cluster = models.ForeignKey(Cluster, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=300)
    ends_at = models.DateTimeField()
    days = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["cluster", "kind", "name"], name="certificate_notice_once")]

    def __str__(self) -> str:
        return f"{self.cluster_id} {self.kind} {self.name}"


class AdviceNotice(models.Model):
    """Advice of high risk that was told, as `backend.core.adviser.advice.notifications` keeps it."""

    subject_id = models.CharField(max_length=14)
    code = models.CharField(max_length=60)
    at = models.DateTimeField(null=True)
    is_open = models.BooleanField()
    gone_since = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["subject_id", "code"], name="advice_notice_once")]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.code}"
