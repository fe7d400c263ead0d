"""What was promised, and whether this run kept it."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from bench.competitors import MARIADB_BINLOG
from bench.hawser_search import COLD, JOURNALLED
from bench.measure import Measured
from bench.relocates import BUSY_MOVE, MOVE, Relocate

COLD_TIMES = 10.0
JOURNALLED_S = 0.030
COMMIT_MORE_MS = 50.0
VERIFIED_S = 2.0
PAUSE_S = 3.0
BUSY_TIMES = 2.0


@dataclass(frozen=True)
class Target:
    """One promise in words, what was measured, and whether it was kept."""

    text: str
    measured: str
    is_met: bool

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"text": self.text, "measured": self.measured, "kept": self.is_met}


def search_targets(found: dict[str, Measured], idle_ms: float) -> list[Target]:
    """The promises about searching; `idle_ms` is the longest commit while nobody searched."""
    cold, journalled, rival = found[COLD], found[JOURNALLED], found[MARIADB_BINLOG]
    times = rival.median_s / cold.median_s
    more = max(cold.commits.longest_ms, journalled.commits.longest_ms) - idle_ms
    finished = not (cold.error or journalled.error or (rival.error and not rival.gave_up))
    answers = {each.answer.end for each in found.values() if each.answer is not None}
    return [
        Target(
            f"cold search at least {COLD_TIMES:.0f} times faster than mariadb-binlog",
            f"{'more than ' if rival.gave_up else ''}{times:.1f} times",
            finished and times >= COLD_TIMES,
        ),
        Target(
            f"journalled search under {JOURNALLED_S * 1000:.0f} ms",
            f"median {journalled.median_s * 1000:.1f} ms, slowest {max(journalled.seconds) * 1000:.1f} ms",
            finished and journalled.median_s < JOURNALLED_S,
        ),
        Target(
            f"longest commit during Hawser's searches less than {COMMIT_MORE_MS:.0f} ms above idle",
            f"{more:+.1f} ms",
            finished and more < COMMIT_MORE_MS,
        ),
        Target("all searches name the same place", f"{len(answers)} place(s)", len(answers) == 1),
    ]


def relocate_targets(runs: list[Relocate]) -> list[Target]:
    """The promises about time to verified and the write pause, for the median of each; unverified runs keep none."""
    aims = []
    for title in dict.fromkeys(run.title for run in runs if run.title != BUSY_MOVE):
        those = [run for run in runs if run.title == title]
        verified = all(run.verdict == "verified" for run in those)
        pauses_s = [run.write_pause_ms / 1000 for run in those if run.write_pause_ms is not None]
        limit_s, what = (PAUSE_S, "writes paused for") if pauses_s else (VERIFIED_S, "confirm to verified")
        median = statistics.median(pauses_s or [run.verified_s for run in those])
        text = f"{title}: {what} under {limit_s:.0f} s"
        aims.append(Target(text, f"median {median:.2f} s", verified and median < limit_s))
    return aims + _busy_target(runs)


def _busy_target(runs: list[Relocate]) -> list[Target]:
    """The promise for a busy host: a ratio of one run on one machine, of the time that is the console's."""
    alone, busy = ([run.console_s for run in runs if run.title == title] for title in (MOVE, BUSY_MOVE))
    if not alone or not busy:
        return []
    times = statistics.median(busy) / statistics.median(alone)
    text = f"{MOVE} beside busy loops: without the waits for servers, less than {BUSY_TIMES:.0f} times as long"
    return [Target(text, f"{times:.1f} times", times < BUSY_TIMES)]
