"""Figures of a session of faults, for the results page."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tests.faults.fault import Verdict


@dataclass
class Results:
    """One session."""

    verdicts: list[Verdict] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    """Measurements by name."""
    marathon: dict[str, Any] = field(default_factory=dict)
    """What the marathon came to so far."""

    def keep(self, verdict: Verdict) -> None:
        """One fault judged."""
        self.verdicts.append(verdict)

    def summary(self) -> dict[str, dict[str, Any]]:
        """A part for what ran: the faults one by one, the marathon."""
        day = {"at": datetime.now(UTC).strftime("%Y-%m-%d")}
        parts = {"faults": self._faults() if self.verdicts else {}, "marathon": self.marathon}
        return {name: day | part for name, part in parts.items() if part}

    def _faults(self) -> dict[str, Any]:
        """Sums. The load's record grows until it is begun afresh, so each record's last judgement covers the most."""
        judged = [verdict.acknowledged for verdict in self.verdicts]
        return {
            "scope": f"{len(self.verdicts)} tests, each judged",
            "faults_injected": len(self.verdicts),
            "kinds": len({name for verdict in self.verdicts for name in verdict.faults}),
            "runs": sum(verdict.runs for verdict in self.verdicts),
            "statements": sum(verdict.statements for verdict in self.verdicts),
            "transactions": sum(most for most, after in zip_longest(judged, judged[1:], fillvalue=0) if after < most),
            "lost": max((verdict.lost for verdict in self.verdicts), default=0),
            "doubled": max((verdict.doubled for verdict in self.verdicts), default=0),
            "longest_recovery_s": round(max((verdict.recovery_s for verdict in self.verdicts), default=0.0), 1),
            **self.figures,
        }

    def save(self, path: Path) -> None:
        """As JSON."""
        path.write_text(json.dumps(self.summary(), indent=1, sort_keys=True) + "\n")
