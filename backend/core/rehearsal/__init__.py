"""A run up to its first write, by the same steps, changing nothing."""

from __future__ import annotations

from backend.core.rehearsal.lost import LostSideGateway, as_if_lost
from backend.core.rehearsal.walk import Part, estimate_s, walk

__all__ = ["LostSideGateway", "Part", "as_if_lost", "estimate_s", "walk"]
