"""A client that commits one tiny row every few milliseconds and writes down how long each commit took.

A process of its own, so that a busy interpreter elsewhere does not count as a slow server:
`python -m bench.committer LAB_HOME NET NODE RECORD`. Lines: monotonic start in s, duration in ms.
"""

from __future__ import annotations

import subprocess
import sys
import time
from bisect import bisect_left
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from deploy.lab.api import Lab
from deploy.services.process import PYTHON, ROOT, die_with_parent

PAUSE_S = 0.003
LONGEST_S = 1_200.0


@dataclass(frozen=True)
class Latency:
    """Commits within a stretch of time, in ms."""

    commits: int
    median_ms: float
    p99_ms: float
    longest_ms: float


class Committer:
    """The running client, and its record by stretches of time."""

    def __init__(self, lab: Lab, node: str, record: Path) -> None:
        self._record = record
        self._command = [PYTHON, "-m", "bench.committer", str(lab.paths.home), lab.net, node, str(record)]
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Committer:
        self._process = subprocess.Popen(self._command, cwd=ROOT, preexec_fn=die_with_parent)  # noqa: PLW1509
        until = time.monotonic() + 10
        while not self._record.exists() or self._record.stat().st_size == 0:
            if time.monotonic() > until or self._process.poll() is not None:
                raise RuntimeError("the committing client does not start")
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)

    def between(self, start: float, end: float) -> Latency:
        """Commits that were under way at any time between two monotonic times."""
        time.sleep(0.1)  # the last of them may still be running, or buffered
        lines = [line.split() for line in self._record.read_text().splitlines()[:-1]]
        starts = [float(line[0]) for line in lines]
        took = [float(line[1]) for line in lines]
        first = max(0, bisect_left(starts, start) - 1)
        within = sorted(took[first : bisect_left(starts, end)])
        if not within:
            raise RuntimeError("no commit was measured in this stretch")
        count = len(within)
        return Latency(count, within[count // 2], within[min(count - 1, int(count * 0.99))], within[-1])


def main(home: str, net: str, node: str, record: str) -> None:
    """Commit until terminated, but never for ever."""
    lab = Lab(Path(home), net)
    until = time.monotonic() + LONGEST_S
    with lab.admin(node, 120) as connection, Path(record).open("w", buffering=1) as out:
        cursor = connection.cursor()
        while time.monotonic() < until:
            _one(cursor, out)
            time.sleep(PAUSE_S)


def _one(cursor: object, out: TextIO) -> None:
    started = time.monotonic()
    cursor.execute("INSERT INTO bench.commits (v) VALUES (1)")  # type: ignore[attr-defined]
    print(f"{started:.6f} {(time.monotonic() - started) * 1000:.3f}", file=out)


if __name__ == "__main__":
    main(*sys.argv[1:5])
