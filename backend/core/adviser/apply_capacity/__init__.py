"""Whether a channel's replica applies as fast as the other side writes, and how long a backlog takes to drain."""

from backend.core.adviser.apply_capacity.appliers import Appliers, applier_reasons
from backend.core.adviser.apply_capacity.judge import ApplyCapacity, Verdict, judge
from backend.core.adviser.apply_capacity.rates import CapacityReason, Sample

__all__ = ["Appliers", "ApplyCapacity", "CapacityReason", "Sample", "Verdict", "applier_reasons", "judge"]
