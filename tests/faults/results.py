"""Figures of a session of faults, for the results page."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.faults.fault import LEASE_S, Verdict
from tests.support.provenance import provenance, times

MARATHON = "test_soak.py"


def base_seed() -> int:
    """HAWSER_FAULT_SEED, else one drawn."""
    given = os.environ.get("HAWSER_FAULT_SEED")
    return int(given) if given else random.SystemRandom().randrange(2**31)


@dataclass
class Results:
    """One session."""

    seed: int = field(default_factory=base_seed)
    began: datetime = field(default_factory=lambda: datetime.now(UTC))
    source: dict[str, Any] = field(default_factory=provenance)
    verdicts: list[Verdict] = field(default_factory=list)
    """Of every test, whether it passed or failed."""
    figures: dict[str, Any] = field(default_factory=dict)
    """Measurements by name."""
    marathon: dict[str, Any] = field(default_factory=dict)
    """What the marathon came to so far."""
    marathon_began: datetime | None = None
    """Then the faults before it were over."""
    failed: list[str] = field(default_factory=list)
    is_over: bool = False
    """Whether the session came to its own end: one that was cut short tells only of what ran before."""

    def keep(self, verdict: Verdict) -> None:
        """One fault judged."""
        self.verdicts.append(verdict)

    def keep_marathon(self, began: datetime, figures: dict[str, Any]) -> None:
        """How far the marathon came; stored at once, for it may not live to tell."""
        self.marathon, self.marathon_began = times(began) | figures, began
        self.save()

    def summary(self) -> dict[str, dict[str, Any]]:
        """A part for what ran: the faults one by one, and the marathon, which begins when those are over."""
        of_marathon = [name for name in self.failed if self.marathon and f"/{MARATHON}::" in name]
        failed = [name for name in self.failed if name not in of_marathon]
        shared = self.source | {"seed": self.seed, "lease_s": LEASE_S, "is_over": self.is_over}
        parts: dict[str, dict[str, Any]] = {}
        if self.verdicts or failed:
            is_over = self.is_over or bool(self.marathon)
            took = times(self.began, self.marathon_began)
            parts["faults"] = took | shared | self._faults() | {"failed": failed, "is_over": is_over}
        if self.marathon:
            parts["marathon"] = self.marathon | shared | {"failed": of_marathon}
        return parts

    def _faults(self) -> dict[str, Any]:
        """Sums. The load's record grows until it is begun afresh: the same writes are judged again by each test."""
        records = _by_record([verdict for verdict in self.verdicts if verdict.acknowledged])
        return {
            "faults_injected": len(self.verdicts),
            "unjudged": sum(not verdict.acknowledged for verdict in self.verdicts),
            "kinds": len({name for verdict in self.verdicts for name in verdict.faults}),
            "runs": sum(verdict.runs for verdict in self.verdicts),
            "statements": sum(verdict.statements for verdict in self.verdicts),
            "transactions": sum(max(verdict.acknowledged for verdict in record) for record in records),
            "lost": sum(max(verdict.lost for verdict in record) for record in records),
            "doubled": sum(max(verdict.doubled for verdict in record) for record in records),
            "longest_recovery_s": round(max((verdict.recovery_s for verdict in self.verdicts), default=0.0), 1),
            **self.figures,
        }

    def save(self) -> None:
        """As JSON, where HAWSER_FAULT_RESULTS says."""
        target = os.environ.get("HAWSER_FAULT_RESULTS")
        if target:
            Path(target).write_text(json.dumps(self.summary(), indent=1, sort_keys=True) + "\n")


def _by_record(judged: list[Verdict]) -> list[list[Verdict]]:
    """Judgements of one record of the load each: it was begun afresh where it is shorter than before."""
    records: list[list[Verdict]] = []
    for verdict in judged:
        if not records or verdict.acknowledged < records[-1][-1].acknowledged:
            records.append([])
        records[-1].append(verdict)
    return records


def spread(found_s: Sequence[float], lease_s: float) -> str:
    """`20: p50 22.1 s, p99 28.0 s, longest 28.0 s (lease 15 s)`."""
    if not found_s:
        return "none"
    found = sorted(found_s)
    half, most = found[len(found) // 2], found[len(found) * 99 // 100]
    return f"{len(found)}: p50 {half:.1f} s, p99 {most:.1f} s, longest {found[-1]:.1f} s (lease {lease_s:g} s)"
