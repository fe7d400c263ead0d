"""Measurements of the network between the sites of a link, and the tokens with which hosts send them."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Link, Node
from backend.common import ids
from backend.core.adviser.network.measurement import PROBE


class ProbeToken(models.Model):
    """Lets one result of the script in, between two nodes; only its digest is stored."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.probe_token_id, editable=False)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="+")
    from_node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    to_node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.CharField(max_length=80)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(db_index=True)
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.id} of {self.link_id}"


class NetworkMeasurement(models.Model):
    """One result; `is_signed`: it came with a token, and not from a form."""

    id = models.CharField(primary_key=True, max_length=14, default=ids.measurement_id, editable=False)
    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="network_measurements")
    from_node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    to_node = models.ForeignKey(Node, on_delete=models.CASCADE, related_name="+")
    tool = models.CharField(max_length=24, default=PROBE)
    is_signed = models.BooleanField()
    actor = models.CharField(max_length=80)
    measured_at = models.DateTimeField()
    stored_at = models.DateTimeField(auto_now_add=True)
    digest = models.CharField(max_length=64)
    figures = models.JSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "digest"], name="measurement_once")]
        indexes = [models.Index(fields=["link", "measured_at"], name="measurement_newest")]

    def __str__(self) -> str:
        return f"{self.tool} of {self.link_id}"
