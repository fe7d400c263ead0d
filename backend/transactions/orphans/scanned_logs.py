"""Records up to which position each node's log was read for a scan, and detects later writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.core.binlog.content import is_same
from backend.core.binlog.events import Cursor, EventBudgetError
from backend.core.binlog.groups import UnknownEventError, groups_from
from backend.core.binlog.logs import log_of
from backend.core.dialects.base import DialectError
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.orphans.new_writes import is_of_the_console
from backend.core.orphans.scan import DivergedLog
from backend.core.plans.target import is_fit
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import ClusterFacts, NodeFacts
from backend.gateway.gateway import NodeGateway

BUDGET_EVENTS = 20_000
"""On a fenced side only the console writes; with more events than this the whole log is read again."""


@dataclass(frozen=True, slots=True)
class ScannedLog:
    """The position read up to, and the last orphan in the log, by which the log is recognized."""

    node_id: str
    ends: str
    last_begin: str
    last_content: str


def scanned_log(node_id: str, log: DivergedLog) -> ScannedLog:
    """The record of a log that was read to its end."""
    return ScannedLog(node_id, str(log.ends), str(log.last_begin or ""), log.last_content)


def unchanged_logs(lost: ClusterFacts, stored: Sequence[ScannedLog], gateway: NodeGateway) -> tuple[ScannedLog, ...]:
    """The same logs with their current ends; () where one was written to or reset, or another node can be read."""
    fit = {node.node.id: node for node in lost.nodes if is_fit(node)}
    if not stored or set(fit) != {log.node_id for log in stored}:
        return ()
    found = []
    for log in stored:
        try:
            ends = _end_of_own(fit[log.node_id], log, gateway)
        except (NodeError, DialectError, UnknownEventError, EventBudgetError):
            return ()
        if ends is None:
            return ()
        found.append(replace(log, ends=str(ends)))
    return tuple(found)


def _end_of_own(node: NodeFacts, stored: ScannedLog, gateway: NodeGateway) -> FilePosition | None:
    """The log's end if only the console wrote after the stored end; else None."""
    if not stored.last_begin:
        return None
    reader = gateway.reader(node.node.id)
    reader.query(SYNC_SQL)
    cursor = Cursor(log_of(reader, node), budget_events=BUDGET_EVENTS)
    last = next(groups_from(cursor, FilePosition.parse(stored.last_begin)), None)
    if last is None or not is_same(last.content, stored.last_content):
        return None
    ends = FilePosition.parse(stored.ends)
    for group in groups_from(cursor, ends):
        if not is_of_the_console(group):
            return None
        ends = group.end_position
    return ends
