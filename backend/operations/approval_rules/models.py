"""The approval rule of a link, where it has one of its own."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Link


class LinkApprovalRule(models.Model):
    """How many persons approve a run of the link, and who may: any approver if none is named.

    `pending` is a weaker rule that waits for a second administrator, or for its waiting time.
    """

    link = models.OneToOneField(Link, on_delete=models.CASCADE, primary_key=True, related_name="approval_rule")
    needed = models.PositiveSmallIntegerField(default=1)
    approvers = models.JSONField(default=list)
    pending = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"{self.link_id} {self.needed}"
