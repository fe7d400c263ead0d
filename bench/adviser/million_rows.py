"""A million rows over 50 ms: asynchronous, semi-synchronous and one Galera cluster; on the page of `apply_rate`.

The article inserts row by row. Semi-synchronous over a distance that takes hours, so a transaction has 100 rows here.
"""

from __future__ import annotations

import json
import threading
import time
from dataclasses import asdict, dataclass

from bench.adviser import both_written, page, writes
from bench.adviser.apply_rate import NAME as PAGE
from bench.adviser.both_written import NODES, SEMI_SYNCHRONOUS
from bench.machine import describe
from bench.workspace import default_workspace
from deploy.lab.api import Lab

NAME = "million-rows"
LIMIT_S = 1200.0
ROWS, AT_ONCE, PAYLOAD = 1_000_000, 100, 100
WRITERS = 400
ROUND_TRIP_MS = 50.0
DRAIN_LIMIT_S, COUNT_EVERY_S = 240.0, 1.0


@dataclass(frozen=True)
class Found:
    """What one way took. `missing`: rows that the other node still lacked when the wait was given up."""

    how: str
    committed_per_s: float
    took_s: float
    behind_s: float
    missing: int
    unacknowledged: int | None

    def values(self) -> list[str]:
        """For the table."""
        behind = (
            f"{self.behind_s:.0f} s" if not self.missing else f"over {self.behind_s:.0f} s, {self.missing:,} missing"
        )
        silent = "" if self.unacknowledged is None else f"{self.unacknowledged:,}"
        return [self.how, f"{self.committed_per_s:,.0f}", f"{self.took_s:.0f} s", behind, silent]


HEAD = ("two nodes, both written to", "rows/s", "until all are committed", "until both have all", "not acknowledged")


def main() -> int:
    """Exit code 0 when every way was measured."""
    workspace = default_workspace(LIMIT_S)
    lab = Lab(workspace.lab_home, workspace.net)
    found = [_measure(lab, how) for how, _ in both_written.each(lab, (ROUND_TRIP_MS,))]
    machine = describe()
    text = json.dumps({"machine": machine, "found": list(map(asdict, found))}, indent=1)
    (workspace.folder / f"{NAME}.json").write_text(f"{text}\n")
    page.publish(NAME, text_of(found, machine), PAGE)
    return 0


def _measure(lab: Lab, how: str) -> Found:
    each, half = ROWS // AT_ONCE // 2, WRITERS // 2
    sizes = {"at_once": AT_ONCE, "payload": PAYLOAD}
    for node in NODES:
        lab.sql(node, f"SET GLOBAL max_connections={WRITERS}")
    silent, before = both_written.unacknowledged(lab), both_written.count(lab)
    both = [threading.Thread(target=writes.insert, args=(lab, node, each, half), kwargs=sizes) for node in NODES]
    began = time.monotonic()
    for one in both:
        one.start()
    for one in both:
        one.join()
    took_s, ended = time.monotonic() - began, time.monotonic()
    missing = _missing(lab, before + 2 * ROWS)
    silent = both_written.unacknowledged(lab) - silent
    found = Found(
        how,
        ROWS / took_s,
        took_s,
        time.monotonic() - ended,
        missing,
        silent if how == SEMI_SYNCHRONOUS else None,
    )
    print(f"  {' | '.join(found.values())}", flush=True)
    return found


def _missing(lab: Lab, wanted: int) -> int:
    """Rows that the nodes lack when both have all, or the time is over. Counting a million rows is work, so seldom."""
    until = time.monotonic() + DRAIN_LIMIT_S
    while (missing := wanted - both_written.count(lab)) and time.monotonic() < until:
        time.sleep(COUNT_EVERY_S)
    return missing


def text_of(found: list[Found], machine: dict[str, str]) -> str:
    """The table of one run."""
    about = (
        f"{machine['date']}, {machine['MariaDB']}, Galera {machine['Galera']}; one run. Machine busy with other work: "
        f"{machine['busy with other work']}. {ROWS:,} rows of {PAYLOAD} bytes in {ROWS // AT_ONCE:,} transactions, "
        f"{WRITERS} writers, both nodes, {ROUND_TRIP_MS:g} ms round trip, no wait for the disk."
    )
    return "\n\n".join([about, page.table(HEAD, [one.values() for one in found])])
