"""500 single-row inserts by number of threads, distance and send window; beside the article's seconds.

Three nodes of one cluster, one of them at the other site. Each thread holds its connection and commits each row.
"""

from __future__ import annotations

import json
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass

from bench.adviser import page, writes
from bench.machine import describe
from bench.workspace import Workspace, default_workspace
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.lab.server.database import rows

NAME = "concurrency"
LIMIT_S = 900.0
ROWS = 500
WRITER = "db-a1"
NEAR_ROWS, MANY_ROWS, MANY = 4_000, 2_000, 32
"""Rows that are inserted where 500 would be over at once, or be a few rounds only; the seconds are of 500."""
THREADS = (1, 2, 4, 8, 16, 32, 64)
ROUND_TRIPS_MS = (0.0, 50.0, 100.0)
WINDOWS = ((4, 2), (512, 512))
ARTICLE = {
    (1, 0.0): 0.268, (4, 0.0): 0.187, (8, 0.0): 0.146, (16, 0.0): 0.13, (32, 0.0): 0.122, (64, 0.0): 0.098,
    (1, 50.0): 25.583, (4, 50.0): 8.359, (8, 50.0): 4.18, (16, 50.0): 2.353, (32, 50.0): 1.16, (64, 50.0): 0.925,
    (1, 100.0): 51.671, (4, 100.0): 13.936, (8, 100.0): 7.84, (16, 100.0): 4.641, (32, 100.0): 2.33, (64, 100.0): 1.808,
}  # fmt: skip
"""The column of 0.05 ms stands at 0."""


@dataclass(frozen=True)
class Cell:
    """Seconds of 500 rows, and the slowest twentieth of the commits."""

    threads: int
    round_trip_ms: float
    window: int
    seconds: float
    commit_p50_ms: float
    commit_p95_ms: float
    disturbed: list[str]

    @property
    def round_trips(self) -> str:
        """What one commit of one thread took, in round trips."""
        if not self.round_trip_ms:
            return ""
        return f"{self.seconds * self.threads / ROWS / (self.round_trip_ms / 1000):.2f}"


def main() -> int:
    """Exit code 0 when the table is whole."""
    workspace = default_workspace(LIMIT_S)
    lab = Lab(workspace.lab_home, workspace.net)
    lab.down()
    try:
        lab.up(Settings(sizes=(2, 1), wan=True, one_cluster=True, overrides=writes.RELAXED))
        figures = measured(lab)
    finally:
        lab.down()
    publish(workspace, figures)
    return 0


def measured(lab: Lab) -> list[Cell]:
    """Every cell; the writers stand at the site of two nodes."""
    writes.prepare(lab, WRITER)
    figures = []
    for round_trip_ms in ROUND_TRIPS_MS:
        lab.distance.set_round_trip(round_trip_ms)
        for send, user in WINDOWS:
            writes.set_windows(lab, send, user)
            for threads in THREADS:
                figures.append(_cell(lab, threads, round_trip_ms, user))
                print(f"  {figures[-1]}", flush=True)
    return figures


def _cell(lab: Lab, threads: int, round_trip_ms: float, window: int) -> Cell:
    count = NEAR_ROWS if not round_trip_ms else MANY_ROWS if threads >= MANY else ROWS
    lab.distance.reset()
    seconds, took_ms = _insert(lab, count // threads, threads)
    quantiles = statistics.quantiles(took_ms, n=20)
    done = len(took_ms)
    return Cell(
        threads, round_trip_ms, window, round(seconds * ROWS / done, 3), round(statistics.median(took_ms), 1),
        round(quantiles[-1], 1), list(lab.distance.report()["disturbed"]),
    )  # fmt: skip


def _insert(lab: Lab, share: int, threads: int) -> tuple[float, list[float]]:
    """The wall-clock seconds from the first statement on, and the milliseconds of each commit."""

    def write(connection: object) -> list[float]:
        took = []
        for _ in range(share):
            began = time.monotonic()
            rows(connection, f"INSERT INTO {writes.SCHEMA}.rows (body) VALUES ('one row')")
            took.append((time.monotonic() - began) * 1000)
        return took

    with ExitStack() as opened, ThreadPoolExecutor(threads) as pool:
        connections = [opened.enter_context(lab.admin(WRITER, 60)) for _ in range(threads)]
        began = time.monotonic()
        found = [each for took in pool.map(write, connections) for each in took]
        return time.monotonic() - began, found


def publish(workspace: Workspace, figures: list[Cell]) -> None:
    """Keep the figures and write the page."""
    machine = describe()
    found = {"machine": machine, "figures": [asdict(cell) for cell in figures]}
    (workspace.folder / "concurrency.json").write_text(json.dumps(found, indent=1) + "\n")
    page.publish(NAME, text_of(figures, machine))


def text_of(figures: list[Cell], machine: dict[str, str]) -> str:
    """One table a distance."""
    about = (
        f"{machine['date']}, {machine['MariaDB']}, Galera {machine['Galera']}; {ROWS} single-row inserts on {WRITER}, "
        "seconds; one run. Machine busy with other work: "
        f"{machine['busy with other work']}. An asterisk: the router's own lateness disturbed the row."
    )
    return "\n\n".join([about, *(_of_distance(figures, distance) for distance in ROUND_TRIPS_MS)])


def _of_distance(figures: list[Cell], round_trip_ms: float) -> str:
    found = {(one.threads, one.window): one for one in figures if one.round_trip_ms == round_trip_ms}
    head = [f"threads at {round_trip_ms:g} ms", "article"]
    for window in (user for _, user in WINDOWS):
        head += [f"window {window}", "round trips", "commit p50 / p95, ms"]
    lines = []
    for threads in THREADS:
        line = [str(threads), str(ARTICLE.get((threads, round_trip_ms), ""))]
        for window in (user for _, user in WINDOWS):
            one = found[threads, window]
            mark = " *" if one.disturbed else ""
            line += [f"{one.seconds:.2f}{mark}", one.round_trips, f"{one.commit_p50_ms:g} / {one.commit_p95_ms:g}"]
        lines.append(line)
    return page.table(head, lines)
