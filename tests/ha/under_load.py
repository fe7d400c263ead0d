"""A link is moved back to back under the load of calls while something is wrong for a while; what is judged of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.ha.client import Attempted, RetryingConsole
from tests.ha.events import Follower, missed
from tests.ha.load import Load, lost, summary
from tests.ha.moves import Mover
from tests.ha.stack import HaStack
from tests.ha.targets import busy_worker
from tests.support.waiting import patience, wait_for

STREAM_GAP_S = 60.0
"""A stream on a part that freezes is found silent after 25 s, and so may be the next one."""
Harm = Callable[[Mover], Callable[[], object]]
"""Does the harm in the middle of a move; returns what ends it."""


@dataclass
class UnderLoad:
    """One case: its parts, and its figures by name."""

    stack: HaStack
    console: RetryingConsole
    calls: Load
    figures: dict[str, Any]
    runs: list[dict[str, Any]] = field(default_factory=list)

    def judge(self, name: str, harm: Harm, lasts_s: float, *, may_refuse: bool = False) -> None:
        """Every move ended verified, every call was answered, every event arrived, no write was lost or doubled.

        `may_refuse`: a move may also have failed before it sent anything.
        """
        mover, follower = Mover(self.console), Follower(self.stack.client()).start()
        began = time.monotonic()
        with self.calls.running(), mover.running():
            busy_worker(mover)
            moved = len(mover.runs)
            end = harm(mover)
            time.sleep(lasts_s)
            end()
            wait_for(lambda: mover.error or len(mover.runs) >= moved + 2, "two moves to end after the strike", 300)
            self.calls.wait_calls()
        seconds = time.monotonic() - began
        follower.stop()
        self.runs = mover.runs
        self.figures[name] = self._figures(mover, follower, seconds)
        unverified = mover.unverified(but="Nothing was changed" if may_refuse else "")
        assert not unverified, unverified
        assert not unanswered(self.calls.client.calls), unanswered(self.calls.client.calls)
        assert missed(follower.ids, self.stack) == []
        assert follower.longest_gap_s < STREAM_GAP_S * patience()
        self.figures["writes"] = self.stack.judge().acknowledged

    def _figures(self, mover: Mover, follower: Follower, seconds: float) -> dict[str, Any]:
        return summary(self.calls.client.calls, seconds) | {
            "moves": len(mover.runs),
            "refused_moves": sum(run["state"] == "failed" for run in mover.runs),
            "longest_move_s": max(took_s(run) for run in mover.runs),
            "stream_gap_s": round(follower.longest_gap_s, 1),
            "stream_connects": follower.connects,
        }


def unanswered(made: list[Attempted]) -> list[Attempted]:
    """Calls of the load without an answer to what was asked."""
    return [call for call in lost(made) if call.status != 409]


def took_s(run: dict[str, Any]) -> float:
    """From its request to its end."""
    taken = datetime.fromisoformat(run["ended_at"]) - datetime.fromisoformat(run["created_at"])
    return round(taken.total_seconds(), 1)
