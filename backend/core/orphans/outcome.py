"""What became of a returned side's orphans: how many a reprotect replayed, and how many are lost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.core.orphans.report import ATTACH, REBUILD, REPLAY, UNDO
from backend.core.plural import pluralize

_DONE = {REPLAY: "not replayed and lost", UNDO: "undone and lost", REBUILD: "discarded by the rebuild and lost"}


@dataclass(frozen=True, slots=True)
class OrphanOutcome:
    """None where the number is unknown: a side that was rebuilt before it was scanned."""

    choice: str
    orphaned: int | None
    replayed: int | None
    lost: int | None

    @property
    def sentence(self) -> str:
        """For instance `26 orphaned transactions: 26 replayed, 0 lost`."""
        if self.orphaned is None:
            return "The number of orphaned transactions is unknown; all of them were discarded by the rebuild"
        if self.orphaned == 0:
            return "Nothing lost: the side that returned had no orphaned transaction"
        found = pluralize(self.orphaned, "orphaned transaction")
        if self.choice == REPLAY:
            return f"{found}: {self.replayed:,} replayed, {self.lost:,} lost"
        return f"{found}: {self.lost:,} {_DONE[self.choice]}"

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"choice": self.choice, "orphaned": self.orphaned, "replayed": self.replayed, "lost": self.lost}


def outcome_of(plan: Mapping[str, Any]) -> OrphanOutcome | None:
    """What a reprotect that is done did with the orphans, from its plan; None of one that decides nothing."""
    way = str((plan.get("options") or {}).get("orphans", ATTACH))
    found = (plan.get("situation") or {}).get("orphans") or {}
    if way not in (ATTACH, *_DONE) or not found or found.get("state") == "not_needed":
        return None
    count = {"none": 0, "found": found.get("transactions")}.get(found.get("state", ""))
    if count is None:
        return OrphanOutcome(way, None, None, None)
    if way != REPLAY:
        return OrphanOutcome(way, count, 0, count)
    skipped = next((len(step["params"].get("skip", ())) for step in plan["steps"] if step["code"] == "replay"), 0)
    return OrphanOutcome(way, count, count - skipped, skipped)


def outcome_from(data: Mapping[str, Any] | None) -> OrphanOutcome | None:
    """Inverse of `to_json`."""
    return None if not data else OrphanOutcome(data["choice"], data["orphaned"], data["replayed"], data["lost"])
