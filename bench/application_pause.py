"""How long an application cannot write during a switchover, seen by one that tries on both sides all the time.

The console counts a pause from before its first fence leaves until the last opened node was read back. An application
meets less of it: from its last commit on the one side until its first on the other.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import pairwise

from bench.console import Console
from deploy.lab.layout import Node
from deploy.lab.server.accounts import Account
from deploy.lab.server.database import SERVER_ERRORS, connect_tcp, rows
from deploy.lab.server.schema import SCHEMA

EVERY_S = 0.005
_INSERT = "INSERT INTO markers (marker, site) VALUES (%s, %s)"


@dataclass
class ApplicationWrites:
    """When commits of an application were acknowledged, on whichever side (monotonic seconds)."""

    is_over: threading.Event = field(default_factory=threading.Event)
    acknowledged_s: list[float] = field(default_factory=list)

    def write_on(self, node: Node, account: Account) -> None:
        """Commit one row after the other on a node of either side; a fenced node refuses each of them."""
        while not self.is_over.is_set():
            with suppress(*SERVER_ERRORS), closing(connect_tcp(node, account, database=SCHEMA)) as connection:
                self._commit_rows(connection, node.site)
            self.is_over.wait(EVERY_S)

    def _commit_rows(self, connection: object, site: str) -> None:
        """Over one connection, which stays while its node refuses."""
        rows(connection, "SET autocommit = 1")
        while not self.is_over.wait(EVERY_S):
            with suppress(*SERVER_ERRORS):
                rows(connection, _INSERT, (uuid.uuid4().hex, site))
                self.acknowledged_s.append(time.monotonic())

    def longest_gap_s(self, since_s: float) -> float:
        """The longest time between two acknowledged commits since then."""
        times = [at for at in sorted(self.acknowledged_s) if at >= since_s]
        return max(after - before for before, after in pairwise(times))


@contextmanager
def _writing(console: Console, names: Sequence[str]) -> Iterator[ApplicationWrites]:
    writes, account = ApplicationWrites(), console.lab.accounts["app"]
    threads = [threading.Thread(target=writes.write_on, args=(console.lab.node(name), account)) for name in names]
    for thread in threads:
        thread.start()
    try:
        yield writes
    finally:
        writes.is_over.set()
        for thread in threads:
            thread.join()


def application_pauses_s(console: Console, kinds: Sequence[str], until_s: float) -> list[float]:
    """The pause of each planned switch, kinds in turn until that time (monotonic)."""
    found: list[float] = []
    with _writing(console, ("db-a1", "db-b1")) as writes:
        while time.monotonic() < until_s:
            for kind in kinds:
                time.sleep(1.5)  # the monitor sees what became of the run before
                plan, since_s = console.plan(kind), time.monotonic()
                run = console.run(plan)
                if run["verification"]["verdict"] != "verified":
                    raise RuntimeError(run["outcome"])
                time.sleep(0.2)
                found.append(writes.longest_gap_s(since_s))
    return found
