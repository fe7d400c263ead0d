"""What the servers say they were sent: their general logs, read into statements with their sessions."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

OPERATOR, OURS = "hawser_operator", "hawser_"
_READING = re.compile(
    r"\s*(SELECT|SHOW|SET\s+NAMES|SET\s+autocommit|SET\s+SESSION|SET\s+@(?!@)"
    r"|SET\s+STATEMENT\s+[a-z_]+\s*=\s*[0-9.]+\s+FOR\s+SELECT)\b",
    re.I,
)
_READS_AND_MORE = re.compile(r"\bINTO\b|\bFOR\s+UPDATE\b|\bLOCK\s+IN\b|\bGET_LOCK\b", re.I)
_SETS_MORE = re.compile(r"\s*SET\b.*(\bGLOBAL\s|@@GLOBAL\.[a-z_]+\s*:?=)", re.I | re.S)
_GRANTS_PROBE = "DELETE FROM hawser.probe WHERE 1=0"
"""Asks whether the account may; changes nothing wherever it is sent."""
_TEXT = re.compile(r"'(?:[^'\\]|''|\\.)*'")
_LOOK = re.compile(r"FROM information_schema\.PROCESSLIST WHERE ID = (\d+)$", re.I)
_BEGUN = re.compile(r"\S+, Version: .* started with:")
"""A server that starts counts its sessions again: a number belongs to another session from here on."""
_TIME = re.compile(rb"^(\d{6}\s+\d{1,2}:\d\d:\d\d)\t", re.M)
_CONNECT = re.compile(rb"^(?:\d{6}\s+\d{1,2}:\d\d:\d\d\t|\t\t)?\s*(\d+) Connect\t([^@\s]+)@", re.M)
_HEAD = re.compile(
    r"^(?:(\d{6}\s+\d{1,2}:\d\d:\d\d)\t|\t\t)?\s*(\d+) (Connect|Query|Quit|Execute|Prepare|Init DB|\w+)\t?(.*)$"
)
_SECRET = re.compile(r"(MASTER_PASSWORD\s*=\s*)'(?:[^'\\]|''|\\.)*'", re.I)


@dataclass(frozen=True)
class Wire:
    """One statement as a server received it; `second` is the server's own time, `place` its order there."""

    node: str
    index: int
    second: int
    session: int
    user: str
    sql: str

    @property
    def plain(self) -> str:
        """The statement with blanks evened out and the password masked, to be compared."""
        return plain(self.sql)


def plain(sql: str) -> str:
    """One line, secrets as `***`."""
    return " ".join(_SECRET.sub(r"\1'***'", sql).split()).replace("MASTER_PASSWORD=***", "MASTER_PASSWORD='***'")


def statements(node: str, log: str, known: Mapping[int, str] | None = None, second: int = 0) -> Iterator[Wire]:
    """Every statement of a log, in its order; `known` are users of sessions that began before it, as `second` did."""
    users, open_head, lines = dict(known or {}), None, []
    for index, line in enumerate([*log.splitlines(), "\t\t     0 Quit\t"]):
        match = _HEAD.match(line)
        if match is None and not _BEGUN.fullmatch(line):
            lines.append(line)
            continue
        if open_head is not None:
            at, session, verb, _ = open_head
            if verb in ("Query", "Execute"):
                yield Wire(node, at, second, session, users.get(session, ""), "\n".join(lines))
        if match is None:
            users.clear()
            open_head = None
            continue
        if match[1]:
            second = _second(match[1])
        session = int(match[2])
        if match[3] == "Connect":
            users[session] = match[4].split("@")[0].split(" ")[0]
        open_head, lines = (index, session, match[3], match[4]), [match[4]]


def _second(stamp: str) -> int:
    return int(time.mktime(time.strptime(stamp, "%y%m%d %H:%M:%S")))


def changing(wires: Iterable[Wire]) -> list[Wire]:
    """Statements of the console's accounts, whichever of them, that do more than read."""
    return [wire for wire in wires if wire.user.startswith(OURS) and not is_reading(wire.sql)]


def is_reading(sql: str) -> bool:
    """Whether a statement is known to leave nothing behind but its own session's settings."""
    bare = _TEXT.sub("''", sql)
    if plain(sql) == _GRANTS_PROBE:
        return True
    return bool(_READING.match(bare)) and not _READS_AND_MORE.search(bare) and not _SETS_MORE.match(bare)


def looked_for(wire: Wire) -> int | None:
    """The session that the operator's account asked the server for, before or after a KILL of it."""
    found = _LOOK.search(wire.plain) if wire.user == OPERATOR else None
    return int(found[1]) if found else None


@dataclass
class Listener:
    """One server's log, read on from a place; whose session is whose is remembered from before it.

    So is the second: a log tells it only where it changes.
    """

    node: str
    log: Path
    offset: int = 0
    users: dict[int, str] = field(default_factory=dict)
    second: int = 0

    def skip(self) -> None:
        """What was logged until now is dropped, except for who connected and what time it was."""
        rest = self._rest()
        whole = rest[: rest.rfind(b"\n") + 1]
        parts = re.split(_BEGUN.pattern.encode(), whole)
        known = self.users if len(parts) == 1 else {}
        self.users = known | {int(session): user.decode() for session, user in _CONNECT.findall(parts[-1])}
        if times := _TIME.findall(whole):
            self.second = _second(times[-1].decode())
        self.offset += len(whole)

    def forget(self) -> None:
        """The same, and the log is emptied."""
        self.skip()
        os.truncate(self.log, 0)
        self.offset = 0

    def heard(self) -> list[Wire]:
        """Every statement since, from every sender."""
        return list(statements(self.node, self._rest().decode("utf-8", "replace"), self.users, self.second))

    def _rest(self) -> bytes:
        if self.offset > self.log.stat().st_size:
            self.offset = 0  # the server started a new one
        with self.log.open("rb") as log:
            log.seek(self.offset)
            return log.read()
