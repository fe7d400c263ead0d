"""What the servers say they were sent: their general logs, read into statements with their sessions."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass

OPERATOR = "hawser_operator"
CHANGING = re.compile(
    r"\s*(STOP|START|RESET|CHANGE|SET\s+GLOBAL|BEGIN\s+NOT|CREATE|INSERT|REPLACE|DELETE|UPDATE|ALTER|DROP|KILL)\b", re.I
)
_HEAD = re.compile(
    r"^(?:(\d{6}\s+\d{1,2}:\d\d:\d\d)\t|\t\t)?\s*(\d+) (Connect|Query|Quit|Execute|Prepare|Init DB|\w+)\t?(.*)$"
)
_SECRET = re.compile(r"(MASTER_PASSWORD\s*=\s*)'(?:[^'\\]|''|\\.)*'", re.I)


@dataclass(frozen=True)
class Wire:
    """One statement as a server received it; `second` is the server's own time, `place` its order there."""

    node: str
    place: int
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


def statements(node: str, log: str) -> Iterator[Wire]:
    """Every statement of a log, in its order; sessions that began before the log did have no user."""
    users: dict[int, str] = {}
    second, open_head, lines = 0, None, []
    for place, line in enumerate([*log.splitlines(), "\t\t     0 Quit\t"]):
        match = _HEAD.match(line)
        if match is None:
            lines.append(line)
            continue
        if open_head is not None:
            at, session, verb, _ = open_head
            if verb in ("Query", "Execute"):
                yield Wire(node, at, second, session, users.get(session, ""), "\n".join(lines))
        if match[1]:
            second = int(time.mktime(time.strptime(match[1], "%y%m%d %H:%M:%S")))
        session = int(match[2])
        if match[3] == "Connect":
            users[session] = match[4].split("@")[0].split(" ")[0]
        open_head, lines = (place, session, match[3], match[4]), [match[4]]


def changing(wires: Iterator[Wire], user: str = OPERATOR) -> list[Wire]:
    """Statements of that account that change something."""
    return [wire for wire in wires if wire.user == user and CHANGING.match(wire.sql)]
