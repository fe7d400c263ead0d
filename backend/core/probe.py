"""The one table Hawser keeps on managed clusters, and the transaction that proves a channel works.

A probe is written on the source side of a direction and must show on every live node of the other: "threads are
running" proves nothing (domain fact 10).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from backend.core.topology import Direction

SCHEMA = "hawser"
CREATE_SQL = (
    "CREATE DATABASE IF NOT EXISTS hawser",
    (
        "CREATE TABLE IF NOT EXISTS hawser.probe ("
        "link_id VARCHAR(40) NOT NULL, direction VARCHAR(10) NOT NULL, token VARCHAR(40) NOT NULL, "
        "written_on VARCHAR(64) NOT NULL, written_at DATETIME(6) NOT NULL, "
        "PRIMARY KEY (link_id, direction)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4"
    ),
)
TOKEN_PLACEHOLDER = "{{probe}}"
_PLAIN = re.compile(r"[A-Za-z0-9_.\-]{1,64}")


def write_sql(link_id: str, direction: Direction, node: str, token: str = TOKEN_PLACEHOLDER) -> str:
    """The probe of one direction; one row per link and direction, so the table never grows."""
    return _write(link_id, direction.value, node, token)


def read_sql(link_id: str, direction: Direction) -> str:
    """Read the token of one direction back."""
    return _read(link_id, direction.value)


def commit_sql(link_id: str, node: str, *, at_end: bool) -> str:
    """A row that shows that commits of a node go on; it is no probe of a direction."""
    return _write(link_id, _commit_key(at_end=at_end), node, TOKEN_PLACEHOLDER)


def read_commit_sql(link_id: str, *, at_end: bool) -> str:
    """Read the token of that row back."""
    return _read(link_id, _commit_key(at_end=at_end))


def _commit_key(*, at_end: bool) -> str:
    """One row for the beginning of a run and one for its end, so that neither is taken for the other."""
    return "commit_end" if at_end else "commit"


def _write(link_id: str, key: str, node: str, token: str) -> str:
    for value in (link_id, node, token.strip("{}")):
        if not _PLAIN.fullmatch(value):
            raise ValueError(f"{value!r} cannot stand in a probe")
    return (
        "REPLACE INTO hawser.probe (link_id, direction, token, written_on, written_at) "
        f"VALUES ('{link_id}', '{key}', '{token}', '{node}', UTC_TIMESTAMP(6))"
    )


def _read(link_id: str, key: str) -> str:
    if not _PLAIN.fullmatch(link_id):
        raise ValueError(f"{link_id!r} is not the id of a link")
    return f"SELECT token FROM hawser.probe WHERE link_id='{link_id}' AND direction='{key}'"


@dataclass(frozen=True, slots=True)
class StoredProbe:
    """A probe as a server stores it: its run, the node it was written on, and when (UTC, in the server's format).

    `link_id` names the link where it is not the requested one.
    """

    run_id: str
    node: str
    at: str
    link_id: str = ""


def stored_probes_sql(link_id: str, others_since: datetime | None = None) -> str:
    """Both directions' probes, and those that other links left on these servers after `others_since` (UTC).

    The progress of an undo or a replay is stored there, too, under its failover's run: that is no other console's link.
    """
    if not _PLAIN.fullmatch(link_id):
        raise ValueError(f"{link_id!r} is not the id of a link")
    directions = ", ".join(f"'{direction.value}'" for direction in Direction)
    since = (
        f"written_at > '{others_since:%Y-%m-%d %H:%M:%S.%f}' AND direction IN ({directions})" if others_since else ""
    )
    other_links = f" OR ({since})" if since else ""
    return (
        f"SELECT link_id, token, written_on, written_at FROM hawser.probe WHERE link_id='{link_id}'{other_links} "
        "ORDER BY written_at"
    )


def parse_stored_probes(rows: Iterable[Mapping[str, Any]], link_id: str) -> tuple[StoredProbe, ...]:
    """The probes in the result of `stored_probes_sql`."""
    return tuple(
        StoredProbe(
            str(row["token"]),
            str(row["written_on"]),
            str(row["written_at"]),
            "" if row["link_id"] == link_id else str(row["link_id"]),
        )
        for row in rows
    )
