"""For how long a link was ready, day by day: what a report over a quarter is counted from."""

from __future__ import annotations

from django.db import models

from backend.clusters.models import Link


class ReadinessDay(models.Model):
    """The seconds of a UTC day in which a failover of the link was observed to be possible, or not to be.

    The rest of the day is unknown. `counted_at` is when it was last counted.
    """

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="readiness_days")
    day = models.DateField()
    ready_s = models.FloatField(default=0.0)
    not_ready_s = models.FloatField(default=0.0)
    counted_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["link", "day"], name="readiness_day")]

    def __str__(self) -> str:
        return f"{self.link_id} {self.day}"
