"""Rehearses a run up to its first write, with the same steps, and changes nothing."""

from __future__ import annotations

from backend.core.rehearsal.dry_run import RehearsedCheck, dry_run, estimate_s
from backend.core.rehearsal.simulated_loss import SimulatedLossGateway, with_cluster_lost

__all__ = ["RehearsedCheck", "SimulatedLossGateway", "dry_run", "estimate_s", "with_cluster_lost"]
