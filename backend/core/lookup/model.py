"""What is looked for, how far a log is read, and what was found there.

`None` means *unknown*; a transaction that was not found counts as absent only where the log was read far enough.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from backend.core.binlog.groups import Group
from backend.core.positions import FilePosition, MariadbGtid

CLOCK_SLACK_S = 300
"""A log is read from this long before the time looked for: clocks differ, and times are whole seconds."""
LOGGED_WITHIN_S = 600
"""Without another end, a range of time is read until transactions are this much younger than its end."""
_TABLE = re.compile(r"[^.\s`]{1,64}\.[^.\s`]{1,64}")


@dataclass(frozen=True, slots=True)
class LoggedGroup:
    """A group as one log holds it. `at_s` is the time of its GTID event, `rows` None where they were not counted.

    `texts` are all its statements, those of rows too; `has_text` is False where rows were logged without them.
    """

    group: Group
    at_s: int
    rows: int | None = None
    texts: tuple[str, ...] = ()
    has_text: bool = True


@dataclass(frozen=True, slots=True)
class Criteria:
    """All that is given must hold. `position` belongs to one node's log, `xid` to one cluster's nodes.

    `text` is part of a statement, without regard to case and white space; `table` is `schema.table`; `alike` are groups
    of other logs, of which any is looked for in this one.
    """

    xid: int | None = None
    gtid: MariadbGtid | None = None
    position: FilePosition | None = None
    server_id: int | None = None
    since_s: int | None = None
    until_s: int | None = None
    text: str = ""
    table: str = ""
    alike: tuple[LoggedGroup, ...] = ()

    @property
    def finds_equal(self) -> bool:
        """Whether every log that holds a transaction finds it by these: numbers and positions are each log's own.

        So is the text of rows, which a replica may not log.
        """
        return self.xid is None and self.gtid is None and self.position is None and not self.text


def is_table_name(text: str) -> bool:
    """Whether a text is `schema.table`."""
    return bool(_TABLE.fullmatch(text))


@dataclass(frozen=True, slots=True)
class LookupLimits:
    """How much of each node's log one search reads; it ends at the first limit that it reaches."""

    bytes: int = 64 * 2**20
    seconds: float = 10.0
    matches: int = 50


class Neighbour(StrEnum):
    """What stands next to a match."""

    GROUP = "transaction"
    LOG_START = "log_start"
    LOG_END = "log_end"
    NOT_READ = "not_read"


@dataclass(frozen=True, slots=True)
class Match:
    """A group that was found, with the groups before and after it in the same log."""

    found: LoggedGroup
    before: LoggedGroup | None = None
    after: LoggedGroup | None = None
    before_is: Neighbour = Neighbour.NOT_READ
    after_is: Neighbour = Neighbour.NOT_READ


class Stop(StrEnum):
    """Why reading a log ended."""

    LOG_END = "log_end"
    PAST = "past_target"
    MATCHES = "match_limit"
    BYTES = "byte_limit"
    TIME = "time_limit"

    @property
    def is_limit(self) -> bool:
        """Whether the search may continue."""
        return self in (Stop.MATCHES, Stop.BYTES, Stop.TIME)


@dataclass(frozen=True, slots=True)
class Scan:
    """One reading of one log, from `start` to `end`, which lie between two groups.

    `since_s`: everything that the node logged since then and before `end` was read; None where that is unknown.
    `textless` counts groups whose statements the log does not hold.
    """

    start: FilePosition
    end: FilePosition
    stop: Stop
    matches: tuple[Match, ...] = ()
    groups: int = 0
    bytes: int = 0
    textless: int = 0
    since_s: int | None = None


class NodeState(StrEnum):
    """What the search of one node's log says."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NodeAnswer:
    """The search of one node's log; `scan` is None where nothing could be read."""

    node_id: str
    cluster_id: str
    state: NodeState
    code: str
    detail: str
    scan: Scan | None = None

    @property
    def matches(self) -> tuple[Match, ...]:
        """The groups found."""
        return self.scan.matches if self.scan else ()

    def covers(self, at_s: int, slack_s: int) -> bool:
        """Whether a transaction of that time would have been found, wherever in the log it stands."""
        return self.scan is not None and self.scan.stop is Stop.LOG_END and self.has_read_around(at_s, slack_s)

    def has_read_around(self, at_s: int, slack_s: int) -> bool:
        """Whether all that was logged around that time was read, though perhaps not to the log's end."""
        scan = self.scan
        if scan is None or scan.stop.is_limit or scan.since_s is None:
            return False
        return scan.since_s + slack_s <= at_s
