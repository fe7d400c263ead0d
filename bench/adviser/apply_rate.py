"""How fast a channel applies a backlog, by its number of appliers; semi-synchronous replication compared with it.

Two clusters of one node each, linked both ways. For the curve the SQL thread stands still while the other side writes;
then it is started with so many appliers. The comparison writes on both nodes at the same time.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from bench.adviser import both_written, page, writes
from bench.adviser.both_written import REPLICA, SOURCE
from bench.machine import describe
from bench.workspace import default_workspace
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.lab.server import process

NAME = "apply-rate"
LIMIT_S = 1200.0
BACKLOG, WRITERS = 6_000, 32
CURVE = (
    (0, "optimistic"), (2, "optimistic"), (4, "optimistic"), (8, "optimistic"), (16, "optimistic"),
    (4, "conservative"), (16, "conservative"),
)  # fmt: skip
COMPARED, COMPARED_WRITERS = 16_000, 64
"""Of the article's million inserts and 400 writers, what two cores do in seconds."""
ROUND_TRIPS_MS = (0.0, 50.0)
ARTICLE = {both_written.SEMI_SYNCHRONOUS: "4,830", both_written.GALERA: "12,987"}


@dataclass(frozen=True)
class Point:
    """One backlog, drained."""

    durability: str
    appliers: int
    mode: str
    written_per_s: float
    applied_per_s: float

    def values(self) -> list[str]:
        """For the table."""
        ratio = self.applied_per_s / self.written_per_s
        return [
            self.durability, str(self.appliers), self.mode if self.appliers else "", f"{self.written_per_s:,.0f}",
            f"{self.applied_per_s:,.0f}", f"{ratio:.2f}",
        ]  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """Inserts on both nodes at once."""

    how: str
    round_trip_ms: float
    committed_per_s: float
    behind_s: float
    unacknowledged: int | None

    def values(self) -> list[str]:
        """For the table."""
        article = ARTICLE.get(self.how, "") if not self.round_trip_ms else ""
        silent = "" if self.unacknowledged is None else f"{self.unacknowledged:,}"
        return [
            f"{self.round_trip_ms:g} ms", self.how, f"{self.committed_per_s:,.0f}", f"{self.behind_s:.1f} s", silent,
            article,
        ]  # fmt: skip


def main() -> int:
    """Exit code 0 when everything was measured."""
    workspace = default_workspace(LIMIT_S)
    lab = Lab(workspace.lab_home, workspace.net)
    points = [point for overrides in ({}, writes.RELAXED) for point in _curve(lab, overrides)]
    compared = [_compare(lab, how, round_trip_ms) for how, round_trip_ms in both_written.each(lab, ROUND_TRIPS_MS)]
    machine = describe()
    found = {"machine": machine, "curve": list(map(asdict, points)), "compared": list(map(asdict, compared))}
    (workspace.folder / "apply-rate.json").write_text(json.dumps(found, indent=1) + "\n")
    page.publish(NAME, text_of(points, compared, machine))
    return 0


def _curve(lab: Lab, overrides: dict[str, str]) -> Iterator[Point]:
    durability = "no wait for the disk" if overrides else "durable"
    lab.down()
    try:
        lab.up(Settings(sizes=(1, 1), overrides=overrides))
        writes.prepare(lab, SOURCE)
        both_written.wait_drained(lab)
        for appliers, mode in CURVE:
            point = _drain(lab, durability, appliers, mode)
            print(f"  {' | '.join(point.values())}", flush=True)
            yield point
    finally:
        lab.down()


def _drain(lab: Lab, durability: str, appliers: int, mode: str) -> Point:
    lab.sql(REPLICA, "STOP ALL SLAVES")
    lab.sql(REPLICA, f"SET GLOBAL slave_parallel_threads={appliers}")
    lab.sql(REPLICA, f"SET GLOBAL slave_parallel_mode='{mode}'")
    lab.sql(REPLICA, "START SLAVE IO_THREAD")
    began = time.monotonic()
    writes.insert(lab, SOURCE, BACKLOG, WRITERS)
    wrote_s = time.monotonic() - began
    process.wait_until(lambda: _has_read(lab), 60, "the relay log to hold the backlog")
    began = time.monotonic()
    lab.sql(REPLICA, "START SLAVE SQL_THREAD")
    both_written.wait_drained(lab)
    return Point(durability, appliers, mode, BACKLOG / wrote_s, BACKLOG / (time.monotonic() - began))


def _has_read(lab: Lab) -> bool:
    shown = lab.sql(REPLICA, "SHOW ALL SLAVES STATUS")[0]
    return (str(shown["Master_Log_File"]), int(shown["Read_Master_Log_Pos"])) == both_written.end(lab)


def _compare(lab: Lab, how: str, round_trip_ms: float) -> Compared:
    each = COMPARED // 2 if not round_trip_ms else COMPARED // 8
    half = COMPARED_WRITERS // 2
    silent = both_written.unacknowledged(lab)
    before = both_written.count(lab)
    both = [threading.Thread(target=writes.insert, args=(lab, node, each, half)) for node in both_written.NODES]
    began = time.monotonic()
    for one in both:
        one.start()
    for one in both:
        one.join()
    took_s, ended = time.monotonic() - began, time.monotonic()
    wanted = before + 4 * (each // half) * half  # each node gets the other's rows
    process.wait_until(lambda: both_written.count(lab) == wanted, 120, "both nodes to hold all rows")
    silent = both_written.unacknowledged(lab) - silent
    found = Compared(
        how, round_trip_ms, 2 * (each // half) * half / took_s, time.monotonic() - ended,
        silent if how == both_written.SEMI_SYNCHRONOUS else None,
    )  # fmt: skip
    print(f"  {' | '.join(found.values())}", flush=True)
    return found


def text_of(points: list[Point], compared: list[Compared], machine: dict[str, str]) -> str:
    """Both tables of one run."""
    about = (
        f"{machine['date']}, {machine['MariaDB']}, Galera {machine['Galera']}; one run. Machine busy with other work: "
        f"{machine['busy with other work']}. Backlog: {BACKLOG:,} inserts of 1 KB by {WRITERS} writers."
    )
    head = ("servers", "slave_parallel_threads", "mode", "written/s", "applied/s", "applied to written")
    other = (
        "round trip",
        "two nodes, both written to",
        "commits/s",
        "until both have all",
        "not acknowledged",
        "article, commits/s",
    )
    text = f"Comparison: {COMPARED:,} inserts (a quarter over the distance), {COMPARED_WRITERS} writers, both nodes."
    curve, compared_rows = page.table(head, [one.values() for one in points]), [one.values() for one in compared]
    return "\n\n".join([about, curve, text, page.table(other, compared_rows)])
