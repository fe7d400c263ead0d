"""A run up to its first write, by the same steps, changing nothing."""

from __future__ import annotations

from backend.core.rehearsal.dry_run import Part, estimate_s, walk
from backend.core.rehearsal.simulated_loss import LostSideGateway, as_if_lost

__all__ = ["LostSideGateway", "Part", "as_if_lost", "estimate_s", "walk"]
