"""The lag curve of a link and its event marks, as the API returns them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from backend.common.events import selectors as events
from backend.monitoring.models import LagSample

MAX_POINTS = 900


def lag(link_id: str, minutes: int) -> dict[str, Any]:
    """The lag curve of the last minutes, thinned to what a screen can show, with its event marks."""
    since = timezone.now() - timedelta(minutes=minutes)
    rows = list(LagSample.objects.filter(link_id=link_id, at__gte=since).order_by("at"))
    step = len(rows) // MAX_POINTS + 1
    names = ("at", "forward_gap", "forward_lag_s", "reverse_gap", "reverse_lag_s")
    return {
        "points": [{name: getattr(row, name) for name in names} for row in rows[::step]],
        "marks": events.raised_since(link_id=link_id, since=since),
    }
