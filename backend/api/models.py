"""The demo's verifications of its lab."""

from __future__ import annotations

from django.db import models

from backend.common import ids


class LabVerification(models.Model):
    """A verification of each acknowledged transaction against what the nodes hold."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.lab_check_id, editable=False)
    state = models.CharField(max_length=8, default="running")
    summary = models.TextField(blank=True)
    is_clean = models.BooleanField(null=True)
    details = models.JSONField(default=dict)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.id} {self.state}"
