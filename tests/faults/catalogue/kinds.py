"""Where a fault is made: on the whole bench, on servers of the lab, or without servers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from tests.faults.catalogue.model import Row

KINDS = {
    "bench": "a whole stack: two real three-node Galera clusters under write load, a console with web, worker and "
    "monitor on a real MariaDB, and a proxy before every node, before Redis and before the console's database. Three "
    "judges speak after each: the load's own record of what was acknowledged, transaction by transaction; the servers' "
    "own statement logs (one intent per statement, the plan's statements and no others, on the plan's nodes, nothing "
    "of an old epoch after a takeover, never a second channel); and the console's audit chain",
    "lab": "real servers of the same lab, without the proxy and with less to judge: the demo's console under the "
    "load's own record, or the gateway alone",
    "core": "the pure core against generated worlds, logs and transitions; no server",
    "parts": "one part of the console alone: its API, its store, its monitor, its page; no server",
}
"""Kind -> what stands for it, the strongest first."""
_FOLDERS = {
    "tests/faults/": "bench",
    "tests/galera/": "lab",
    "tests/gateway/": "lab",
    "tests/e2e/": "lab",
    "tests/core/": "core",
    "tests/scenarios/": "core",
    "tests/sim/": "core",
}


def kind_of(test: str) -> str:
    """The kind of one test, by its folder."""
    return next((kind for folder, kind in _FOLDERS.items() if test.startswith(folder)), "parts")


def kinds_of(row: Row) -> list[str]:
    """Kinds of a row's tests, the strongest first."""
    found = {kind_of(test) for test in row.tests}
    return [kind for kind in KINDS if kind in found]


def summary(rows: Iterable[Row]) -> list[str]:
    """A table: each kind, what it is, how many faults have it as their strongest."""
    strongest = Counter(kinds[0] for row in rows if (kinds := kinds_of(row)))
    lines = [f"| {kind} | {strongest[kind]} | {text} |" for kind, text in KINDS.items()]
    return ["| made on | faults, by their strongest | what that is |", "|---|---|---|", *lines]
