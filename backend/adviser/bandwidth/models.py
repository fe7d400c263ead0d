"""What an operator entered of a cluster's bandwidth."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Cluster


class LineCapacity(models.Model):
    """The capacity of the line between a cluster's sites, or of its nodes' connection where it has one site."""

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, primary_key=True, related_name="line_capacity")
    mbit_per_s = models.FloatField()
    by = models.CharField(max_length=80)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.cluster_id} {self.mbit_per_s:g} Mbit/s"
