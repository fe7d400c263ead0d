"""Searches the binary logs of a link's nodes at the same time, with the monitor account; nothing is changed."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.groups import UnknownEventError
from backend.core.binlog.logs import log_of
from backend.core.binlog.search import GTID_SLACK, gtid_seq_of, lower_bound, xid_of
from backend.core.binlog.window import page_boundaries
from backend.core.dialects.base import DialectError
from backend.core.link_facts import LinkFacts
from backend.core.lookup.lookup import SearchNodes
from backend.core.lookup.model import NodeAnswer, NodeState
from backend.core.lookup.search import NodeQuestion, search_node
from backend.core.orphans.transactions import RawEvent
from backend.core.ports import NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition
from backend.core.row_event_bytes import UnreadableError
from backend.core.topology import NodeFacts
from backend.gateway.binlog_dump import file_created_at, read_events
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.connection.errors import ConnectError
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import held_privileges
from backend.gateway.reader import Reader

Sample = tuple[FilePosition, int]
SampleBefore = Callable[[str, int], Sample | None]
"""A position that was observed as the end of a node's log at or before a time, and when."""
_AFTER_LIMIT_S = 5.0
"""The search ends at its own limit; only a log that sends nothing is given up after this time more."""
DENIED = frozenset({1044, 1045, 1142, 1227})
"""ER_DBACCESS_DENIED_ERROR, ER_ACCESS_DENIED_ERROR, ER_TABLEACCESS_DENIED_ERROR, ER_SPECIFIC_ACCESS_DENIED_ERROR."""


def node_search(gateway: NodeGateway, link: LinkFacts, sample_before: SampleBefore) -> SearchNodes:
    """The core's search over this link's nodes."""

    def one(node_id: str, asked: NodeQuestion) -> NodeAnswer:
        return _search(gateway.access(node_id), link.node(node_id), asked, sample_before)

    def search(questions: Mapping[str, NodeQuestion]) -> Sequence[NodeAnswer]:
        if not questions:
            return ()
        with ThreadPoolExecutor(len(questions), thread_name_prefix="lookup") as pool:
            return list(pool.map(one, questions.keys(), questions.values()))

    return search


def _search(access: NodeAccess, facts: NodeFacts, asked: NodeQuestion, sample_before: SampleBefore) -> NodeAnswer:
    name = facts.node.name
    if not facts.is_up:
        return _unknown(facts, "node_unreachable", f"{name} is not responding: {facts.error}")
    began = time.monotonic()
    try:
        with closing(Reader(access.ref, access.monitor)) as reader:
            log = _NodeLog(access, reader, facts, asked, sample_before)
            return search_node(log, facts.node, asked, lambda: time.monotonic() - began)
    except NodeError as error:
        return _unknown(facts, _code_of(error), f"{name}: {error.message}.{_remedy(error, access)}")
    except (UnknownEventError, EventBudgetError, DialectError, UnreadableError, struct.error) as error:
        return _unknown(facts, "not_readable", f"The binary log of {name} cannot be read: {error}.")


_NEEDED = "REPLICATION SLAVE, BINLOG MONITOR"


def _code_of(error: NodeError) -> str:
    if error.code in DENIED:
        return "not_permitted"
    return "node_unreachable" if isinstance(error, ConnectError) else "not_readable"


def _remedy(error: NodeError, access: NodeAccess) -> str:
    if error.code not in DENIED:
        return ""
    try:
        with closing(Reader(access.ref, access.monitor)) as reader:
            account = held_privileges(reader).account
    except NodeError:
        account = ""
    return f" The monitor account needs: GRANT {_NEEDED} ON *.* TO {account or 'it'}."


def _unknown(facts: NodeFacts, code: str, detail: str) -> NodeAnswer:
    return NodeAnswer(facts.node.id, facts.node.cluster_id, NodeState.UNKNOWN, code, detail)


class _NodeLog:
    """Implements the core's `LookupLog`: pages where numbers rise, the dump protocol for what is searched."""

    def __init__(
        self, access: NodeAccess, reader: Reader, facts: NodeFacts, asked: NodeQuestion, sample_before: SampleBefore
    ) -> None:
        self._access, self._asked, self._sample_before = access, asked, sample_before
        self._log = log_of(reader, facts)
        self._cursor = Cursor(self._log)
        self._created: dict[str, int] = {}
        self.row_images = self._log.row_images

    def files(self) -> Sequence[tuple[str, int]]:
        """Retained files with their sizes."""
        return self._cursor.files()

    def created_at_s(self, file: str) -> int:
        """Asked once for each file."""
        if file not in self._created:
            self._created[file] = file_created_at(self._access.ref.name, self._access.monitor, file)
        return self._created[file]

    def events(self, start: FilePosition) -> Iterator[RawEvent]:
        """By the dump protocol."""
        limit_s = self._asked.limits.seconds + _AFTER_LIMIT_S
        return read_events(self._access.ref.name, self._access.monitor, start, limit_s=limit_s)

    def before_xid(self, xid: int) -> FilePosition | None:
        """In skips of events."""
        return lower_bound(self._cursor, xid, xid_of)

    def before_gtid(self, domain: int, seq_no: int) -> FilePosition | None:
        """In skips of events."""
        return lower_bound(self._cursor, max(0, seq_no - GTID_SLACK), gtid_seq_of(domain))

    def before_offset(self, position: FilePosition) -> FilePosition:
        """Two pages of events before it, so that the group that ends there is read, too."""
        before = [found for found in page_boundaries(self._cursor, position.file) if found < position]
        return before[-2] if len(before) > 1 else FilePosition(position.file, FIRST_EVENT_OFFSET)

    def sample_before(self, at_s: int) -> Sample | None:
        """From the position history."""
        return self._sample_before(self._access.ref.id, at_s)
