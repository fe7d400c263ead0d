"""Searches one node's log: where to start, what was found, and what may be said where nothing was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from backend.core.lookup.model import (
    Criteria,
    LookupLimits,
    NodeAnswer,
    NodeState,
    Scan,
    Stop,
)
from backend.core.lookup.scan import DumpedLog, Elapsed, scan
from backend.core.lookup.start import Start, nearer, start_at_time
from backend.core.lookup.times import utc_text
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.topology import NodeRef


class LookupLog(DumpedLog, Protocol):
    """One node's binary log. Every method raises NodeError where the node does not answer, or refuses."""

    def files(self) -> Sequence[tuple[str, int]]:
        """Retained files, oldest first, with their sizes."""
        ...

    def created_at_s(self, file: str) -> int:
        """When the server began the file, by its own clock."""
        ...

    def before_xid(self, xid: int) -> FilePosition | None:
        """A boundary before that Xid; None where the retained log begins after it."""
        ...

    def before_gtid(self, domain: int, seq_no: int) -> FilePosition | None:
        """A boundary before where that GTID is likely; None where the retained log seems to begin after it."""
        ...

    def before_offset(self, position: FilePosition) -> FilePosition:
        """A boundary some events before a position of a retained file, possibly inside a group."""
        ...

    def sample_before(self, at_s: int) -> tuple[FilePosition, int] | None:
        """A position that was observed as the log's end at or before that time, and when."""
        ...


@dataclass(frozen=True, slots=True)
class NodeQuestion:
    """What is looked for on a node; `resume` is where an earlier search of it ended."""

    criteria: Criteria
    limits: LookupLimits
    slack_s: int
    resume: FilePosition | None = None


def search_node(log: LookupLog, node: NodeRef, asked: NodeQuestion, elapsed: Elapsed) -> NodeAnswer:
    """The answer of one node; raises NodeError and UnknownEventError."""
    return _NodeSearch(log, node, asked, elapsed).answer()


class _NodeSearch:
    def __init__(self, log: LookupLog, node: NodeRef, asked: NodeQuestion, elapsed: Elapsed) -> None:
        self.log, self.node, self.asked, self.elapsed = log, node, asked, elapsed
        self.criteria = asked.criteria
        self.files = dict(log.files())
        self.names = list(self.files)

    def answer(self) -> NodeAnswer:
        """Choose the start, read, judge."""
        if not self.names:
            return self._unknown("no_binary_log", f"{self.node.name} has no binary log.")
        position = self.asked.resume or self.criteria.position
        if position is not None and position.file not in self.files:
            return self._file_missing(position)
        start = self._start()
        if start is None:
            oldest = f"The binary logs that {self.node.name} retains begin after it, with {self._oldest()}."
            return self._unknown("log_purged", oldest)
        read = self._read(start)
        second = self._second_start() if not read.matches and read.stop is not Stop.TIME else None
        if second is not None and second.position < start.position:
            read = self._read(second)
        return self._judge(read)

    def _start(self) -> Start | None:
        asked = self.criteria
        if self.asked.resume is not None:
            return Start(self.asked.resume)
        if asked.position is not None:
            return self._at(self.log.before_offset(asked.position))
        if asked.xid is not None:
            return self._at(self.log.before_xid(asked.xid))
        if asked.since_s is not None:
            return self._at_time(asked.since_s - self.asked.slack_s)
        likely = self.log.before_gtid(asked.gtid.domain, asked.gtid.seq_no) if asked.gtid is not None else None
        return self._at(likely) or self._at_time(0)

    def _at(self, position: FilePosition | None) -> Start | None:
        return None if position is None else Start(position, is_first=position == self._first())

    def _at_time(self, wanted_s: int) -> Start | None:
        start = start_at_time(self.names, self.log.created_at_s, wanted_s)
        sample = self.log.sample_before(wanted_s)
        if start is None or sample is None:
            return start
        file = sample[0].file
        created_s = self.log.created_at_s(file) if file in self.files else None
        return nearer(start, sample, self.files.get(file), created_s)

    def _first(self) -> FilePosition:
        return FilePosition(self.names[0], FIRST_EVENT_OFFSET)

    def _second_start(self) -> Start | None:
        """Where to read from if nothing was found from a start that is only likely.

        A position may be in a group that began before the boundary, and GTIDs of several servers in one domain need
        not rise along a log.
        """
        asked = self.criteria
        if self.asked.resume is not None:
            return None
        if asked.position is not None:
            return self._at(FilePosition(asked.position.file, FIRST_EVENT_OFFSET))
        if asked.gtid is not None and asked.xid is None and asked.since_s is None:
            return Start(self._first(), self.log.created_at_s(self.names[0]), is_first=True)
        return None

    def _read(self, start: Start) -> Scan:
        read = scan(self.log, self.criteria, start.position, self.asked.limits, self.elapsed, is_first=start.is_first)
        return replace(read, since_s=start.since_s)

    def _judge(self, read: Scan) -> NodeAnswer:
        name = self.node.name
        if read.matches:
            return self._answered(NodeState.FOUND, "found", self._found_detail(read), read)
        if read.stop.is_limit:
            limit = _LIMITS[read.stop]
            text = f"Not found up to {read.end}, where the limit of {limit} ended the search. Continue the search."
            return self._answered(NodeState.UNKNOWN, "limit_reached", text, read)
        if self._begins_too_late(read):
            return self._answered(NodeState.UNKNOWN, "log_purged", f"Not found. {self._begins(read)}", read)
        if self.criteria.text and read.textless:
            text = (
                f"Not found, but {name} logged {read.textless:,} transactions without their statements "
                "(binlog_annotate_row_events is OFF). Search by table and time."
            )
            return self._answered(NodeState.UNKNOWN, "no_statement_text", text, read)
        return self._answered(NodeState.NOT_FOUND, "not_found", self._not_found_detail(read), read)

    def _found_detail(self, read: Scan) -> str:
        notes = []
        if read.stop.is_limit:
            notes.append(f"The limit of {_LIMITS[read.stop]} ended the search at {read.end}. Continue it to see more.")
        if self._begins_too_late(read):
            notes.append(self._begins(read))
        return " ".join(notes)

    def _not_found_detail(self, read: Scan) -> str:
        number = " Not every number is in use." if self.criteria.xid is not None else ""
        since = f", which begins at {utc_text(read.since_s)}" if read.since_s is not None else ""
        return f"Not in the binary log of {self.node.name} from {read.start}{since}, to {read.end}.{number}"

    def _begins_too_late(self, read: Scan) -> bool:
        since_s = self.criteria.since_s
        if since_s is None or self.asked.resume is not None:
            return False
        return read.since_s is None or read.since_s > since_s - self.asked.slack_s

    def _begins(self, read: Scan) -> str:
        when = f" at {utc_text(read.since_s)}" if read.since_s is not None else ""
        return (
            f"The retained binary log of {self.node.name} begins{when} with {read.start.file}: older ones are purged."
        )

    def _oldest(self) -> str:
        return self.names[0]

    def _file_missing(self, position: FilePosition) -> NodeAnswer:
        first = self._first()
        if position.base == first.base and position < first:
            text = f"{self.node.name} no longer retains {position.file}. Its oldest binary log is {first.file}."
            return self._unknown("log_purged", text)
        text = f"{self.node.name} has no binary log {position.file}. It has {first.file} to {self.names[-1]}."
        return self._answered(NodeState.NOT_FOUND, "no_such_file", text, None)

    def _unknown(self, code: str, detail: str) -> NodeAnswer:
        return self._answered(NodeState.UNKNOWN, code, detail, None)

    def _answered(self, state: NodeState, code: str, detail: str, read: Scan | None) -> NodeAnswer:
        return NodeAnswer(self.node.id, self.node.cluster_id, state, code, detail, read)


_LIMITS = {Stop.MATCHES: "transactions", Stop.BYTES: "bytes", Stop.TIME: "time"}
