"""Two nodes, both written to: over an asynchronous link, a semi-synchronous one, and as one Galera cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bench.adviser import writes
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.lab.server import process

SOURCE, REPLICA = "db-a1", "db-b1"
NODES: Final = (SOURCE, REPLICA)
APPLIERS: Final = 16
ASYNCHRONOUS, SEMI_SYNCHRONOUS, GALERA = "asynchronous link", "semi-synchronous", "one Galera cluster"

Setup = tuple[str, float]
"""How, and over which round trip in milliseconds."""


def each(lab: Lab, round_trips_ms: Sequence[float]) -> Iterator[Setup]:
    """Every setup over every distance; the lab stands as said until the next one is asked for."""
    yield from _linked(lab, round_trips_ms)
    yield from _one_cluster(lab, round_trips_ms)


def _linked(lab: Lab, round_trips_ms: Sequence[float]) -> Iterator[Setup]:
    """The link as Hawser moves it, asynchronous, and the same channels semi-synchronous."""
    lab.down()
    try:
        lab.up(Settings(sizes=(1, 1), wan=True, overrides=writes.RELAXED))
        writes.prepare(lab, SOURCE)
        wait_drained(lab)
        for node in NODES:
            lab.sql(node, "STOP ALL SLAVES")
            lab.sql(node, f"SET GLOBAL slave_parallel_threads={APPLIERS}")
            lab.sql(node, "START ALL SLAVES")
        for how in (ASYNCHRONOUS, SEMI_SYNCHRONOUS):
            _semi_synchronous(lab, is_on=how == SEMI_SYNCHRONOUS)
            for round_trip_ms in round_trips_ms:
                lab.distance.set_round_trip(round_trip_ms)
                yield how, round_trip_ms
    finally:
        lab.down()


def _semi_synchronous(lab: Lab, *, is_on: bool) -> None:
    """On both sides; a replica says when it connects whether it acknowledges."""
    for node in NODES:
        lab.sql(node, f"SET GLOBAL rpl_semi_sync_slave_enabled={is_on:d}")
        lab.sql(node, f"SET GLOBAL rpl_semi_sync_master_enabled={is_on:d}")
        lab.sql(node, "STOP SLAVE IO_THREAD")
        lab.sql(node, "START SLAVE IO_THREAD")
    if is_on:
        wanted = "Rpl_semi_sync_master_clients"
        process.wait_until(
            lambda: all(writes.status_number(lab, node, wanted) == 1 for node in NODES),
            30,
            "the replicas to acknowledge",
        )


def _one_cluster(lab: Lab, round_trips_ms: Sequence[float]) -> Iterator[Setup]:
    """The same two nodes as one Galera cluster."""
    lab.down()
    overrides = writes.RELAXED | {"wsrep_slave_threads": str(APPLIERS)}
    try:
        lab.up(Settings(sizes=(1, 1), wan=True, one_cluster=True, overrides=overrides))
        writes.prepare(lab, SOURCE)
        writes.wait_applied(lab, list(NODES))
        for round_trip_ms in round_trips_ms:
            lab.distance.set_round_trip(round_trip_ms)
            yield GALERA, round_trip_ms
    finally:
        lab.down()


def end(lab: Lab) -> tuple[str, int]:
    """Where the source's binary log ends."""
    shown = lab.sql(SOURCE, "SHOW MASTER STATUS")[0]
    return str(shown["File"]), int(shown["Position"])


def wait_drained(lab: Lab) -> None:
    """Until the replica has applied all of the source's binary log."""

    def is_drained() -> bool:
        shown = lab.sql(REPLICA, "SHOW ALL SLAVES STATUS")[0]
        return (str(shown["Relay_Master_Log_File"]), int(shown["Exec_Master_Log_Pos"])) == end(lab)

    process.wait_until(is_drained, 300, "the backlog to be applied")


def unacknowledged(lab: Lab) -> int:
    """Commits that waited in vain, or did not wait because an earlier one had."""
    return sum(writes.status_number(lab, node, "Rpl_semi_sync_master_no_tx") for node in NODES)


def count(lab: Lab) -> int:
    """Rows of both nodes together."""
    asked = f"SELECT COUNT(*) AS n FROM {writes.SCHEMA}.rows"
    return sum(int(lab.sql(node, asked)[0]["n"]) for node in NODES)
