"""Logs built from runs of groups, holes and files."""

from __future__ import annotations

from tests.fakes.log import FakeLog
from tests.fakes.transactions import Txn


def log_of(pieces: list[tuple[str, int]], *, purge: int = 0) -> FakeLog:
    """Built from runs: ("dml", n), ("ddl", n), ("local", n), ("hole", n), ("big", row events), ("rotate", _)."""
    log, xid, local = FakeLog(), 1_000, 4
    for what, count in pieces:
        if what == "rotate":
            log.rotate()
        elif what == "hole":
            xid += count
        elif what == "big":
            xid += 1
            log.append(Txn(xid, 11, f"LOAD {xid}", row_events=count), xid)
        for _ in range(count if what in ("dml", "ddl", "local") else 0):
            if what == "local":
                local += 1
                log.append(Txn(local, 11, f"local {local}", is_local=True), local)
            else:
                xid += 1
                log.append(Txn(xid, 11 + xid % 3, f"INSERT {xid}", what), xid)
    log.purge(purge)
    return log
