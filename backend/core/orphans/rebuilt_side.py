"""Locates the resume position of a rebuilt side: the backup position, corroborated by the side's rows.

Two facts must agree. The backup's own position is one; it must be exactly the end of a transaction in the
log of the node it was taken from. The rows are the other (`row_proof`). This module only reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from backend.core import probe
from backend.core.binlog.events import Cursor, EventBudgetError, size_of
from backend.core.binlog.groups import Group, UnknownEventError, groups_from
from backend.core.binlog.logs import log_of
from backend.core.binlog.search import find_xid
from backend.core.link_facts import LinkFacts
from backend.core.locate.backup_position import BackupPosition
from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.judge import judge
from backend.core.locate.model import CONTENT_GROUPS, FOLLOWING_GROUPS, Located
from backend.core.locate.requests import LocateRequest, refuse_unreadable
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.orphans.model import OrphanList
from backend.core.orphans.row_proof import RowProof, prove_rows
from backend.core.orphans.rows.sql_literals import identifier
from backend.core.orphans.scan import groups_before
from backend.core.orphans.transactions import TooManyError
from backend.core.ports import Gateway, NodeError
from backend.core.positions import FIRST_EVENT_OFFSET, FilePosition, PositionError
from backend.core.topology import ClusterFacts, Direction

READ_GROUPS = 48
"""Groups read on each side of the position, so that enough with rows are among them."""
_HEAD_EVENTS = 64
_CLOCK_SLACK_S = 2.0
_DENIED = frozenset({1044, 1142, 1143})


class RowSource(Protocol):
    """Reads row images of one node and counts rows on another; raises NodeError, TooManyError."""

    def book(self, source_id: str, replica_id: str, begins: FilePosition, groups: Sequence[Group]) -> OrphanList:
        """These groups of the source's log with their rows, by the table definitions on the replica."""
        ...

    def count(self, node_id: str, asked: Sequence[str]) -> Mapping[str, int]:
        """The results of counting statements, by their text."""
        ...


class _NoPositionError(Exception):
    """The backup position is not valid in the source's log; the sentence says why."""


@dataclass(frozen=True, slots=True)
class _BackupInLog:
    """The position in the source's log, and the groups before and after it, oldest first."""

    position: FilePosition
    before: tuple[Group, ...]
    after: tuple[Group, ...]
    seqno: int | None


def locate_rebuilt(question: LocateRequest, link: LinkFacts, gateway: Gateway, rows: RowSource) -> Located:
    """Locate the forward direction's position of a rebuilt side; raises NodeError where a node does not respond."""
    base = refuse_unreadable(question, link, "")
    source, replica = link.node(question.new_source_id), link.node(question.new_replica_id)
    for node in (source, replica):
        gateway.reader(node.node.id).query(SYNC_SQL)
    log = log_of(gateway.reader(source.node.id), source)
    cursor = Cursor(log)
    try:
        wanted = BackupPosition.parse(question.backup or "")
        located = _find_in_log(wanted, cursor, link, source.node.name)
        proof = _rows_say(located, question, link, gateway, rows)
    except (_NoPositionError, PositionError, TooManyError, UnknownEventError, EventBudgetError) as error:
        return replace(base, reasons=(f"{error}.",), searched_events=cursor.scanned_events)
    return replace(_judged(base, link, wanted, located, proof), searched_events=cursor.scanned_events)


def _judged(base: Located, link: LinkFacts, wanted: BackupPosition, located: _BackupInLog, proof: RowProof) -> Located:
    named = f"The backup position is {wanted}. On {base.node} a transaction ends exactly there"
    numbered = f" (seqno {located.seqno})." if located.seqno is not None else "."
    evidence = (
        Evidence(Family.BACKUP, True, named + numbered, index=0, facts={"backup": str(wanted)}),
        Evidence(
            Family.CONTENT,
            proof.agrees,
            proof.detail,
            index=0 if proof.agrees else None,
            facts={"held": len(proof.held), "awaited": len(proof.awaited)},
        ),
    )
    verdict = judge(evidence)
    is_silent = proof.agrees is None and not verdict.is_proven
    remedy = f"Write a row into a table with a key on {base.node}, back it up again, and attach that copy."
    own = set(link.receiving_cluster(base.direction).server_ids)
    stream = [group for group in located.before if group.server_id not in own]
    last = stream[-1] if stream else None
    return replace(
        base,
        position=located.position,
        seqno=located.seqno,
        gtid=str(last.gtid) if last and last.gtid else None,
        is_proven=verdict.is_proven,
        reasons=(*verdict.reasons, f"Rows: {proof.detail}.") if is_silent else verdict.reasons,
        evidence=evidence,
        source_groups=tuple(stream[-CONTENT_GROUPS:]),
        next_groups=tuple(group for group in located.after if group.server_id not in own)[:FOLLOWING_GROUPS],
        facts={"by_rows": True, **({"remedy": remedy} if is_silent else {})},
    )


def _find_in_log(wanted: BackupPosition, cursor: Cursor, link: LinkFacts, node: str) -> _BackupInLog:
    position = _coordinate(wanted, cursor, node) if wanted.position else _numbered(wanted, cursor, link.active, node)
    window = groups_before(cursor, position, lambda _: True, READ_GROUPS)
    before = tuple(window.stream[-READ_GROUPS:]) if window is not None else ()
    if before and position < before[-1].end_position:
        raise _NoPositionError(f"{position} is inside a transaction of {node}, so no backup of {node} ends there")
    after: list[Group] = []
    lost = set(link.standby.server_ids)
    for group in groups_from(cursor, position):
        if len(after) < READ_GROUPS:
            after.append(group)
        if group.server_id in lost:
            raise _NoPositionError(
                f"After {position}, {node} still received transactions of {link.standby.name} "
                f"({group.begin_position}). The backup is older than the failover and lacks them. Take a new backup"
            )
    seqno = next((group.xid for group in reversed(before) if group.xid is not None), None)
    return _BackupInLog(position, before, tuple(after), seqno)


def _coordinate(wanted: BackupPosition, cursor: Cursor, node: str) -> FilePosition:
    """The event boundary in the node's own log, or a refusal; never the nearest one."""
    position = wanted.position
    assert position is not None
    if position.file not in {name for name, _ in cursor.files()}:
        raise _NoPositionError(
            f"{node} does not retain {position.file}. Choose the node that the backup was taken from as source, "
            "or take a new backup"
        )
    window = groups_before(cursor, position, lambda _: True, 1)
    if window is not None and window.stream and window.end == position:
        return position
    behind = window.end if window is not None and window.stream and window.end.file == position.file else None
    start = behind.offset if behind else FIRST_EVENT_OFFSET
    rows = cursor.page(position.file, start, limit=_HEAD_EVENTS)
    ends = {row.pos + size for row in rows if row.pos < position.offset and (size := size_of(row)) is not None}
    if position.offset not in ends:
        raise _NoPositionError(f"No transaction ends at {position} on {node}. The backup was taken from another node")
    return position


def _numbered(wanted: BackupPosition, cursor: Cursor, survivor: ClusterFacts, node: str) -> FilePosition:
    seqno = wanted.seqno
    assert seqno is not None
    if seqno.state_uuid != survivor.recorded_state_uuid:
        raise _NoPositionError(
            f"The backup has state UUID {seqno.state_uuid[:8]}, but {survivor.name} has "
            f"{(survivor.recorded_state_uuid or 'unknown')[:8]}. The backup was not taken from {survivor.name}"
        )
    group, _ = find_xid(cursor, seqno.number, None)
    if group is None:
        raise _NoPositionError(
            f"No transaction in the log of {node} has seqno {seqno.number}. It may be that of a cluster change or a "
            "DDL, which have no Xid. Enter FILE OFFSET of xtrabackup_binlog_info, with the donor as source"
        )
    return group.end_position


def _rows_say(
    located: _BackupInLog, question: LocateRequest, link: LinkFacts, gateway: Gateway, rows: RowSource
) -> RowProof:
    groups = (*located.before, *located.after)
    side = link.node(question.new_replica_id).node.name
    if not groups:
        return RowProof(None, "No transaction is next to the position.")
    book = rows.book(question.new_source_id, question.new_replica_id, groups[0].begin_position, groups)
    before = [one for one in book.transactions if one.end <= located.position]
    after = [one for one in book.transactions if located.position < one.end]
    try:
        proof = prove_rows(
            before, after, book.table_definitions, lambda asked: rows.count(question.new_replica_id, asked), side
        )
    except NodeError as error:
        if error.code not in _DENIED:
            raise
        schemas = ", ".join(
            f"{identifier(name)}.*" for name in sorted({shape.schema for shape in book.table_definitions.values()})
        )
        message = (
            f"The operator account lacks SELECT on the tables of {side}. Grant it there: GRANT SELECT ON {schemas}. "
            "Run SET SESSION wsrep_on=OFF, sql_log_bin=OFF first, so that the grant is not replicated"
        )
        raise _NoPositionError(message) from error
    if proof.agrees and not _is_from_after(proof, question, link, gateway):
        return RowProof(
            None,
            f"No compared row on {side} was written by {link.active.name} since the failover. {side} could also be a "
            "replica that was not rebuilt. Wait for one transaction and take a new backup.",
        )
    return proof


def _is_from_after(proof: RowProof, question: LocateRequest, link: LinkFacts, gateway: Gateway) -> bool:
    """Whether the rebuilt side has something that only the survivor had: the failover's probe, or a later write.

    Before a link has channels, every row of the active side can have come only by the copy.
    """
    divergence = link.divergence
    if divergence is None:
        return bool(proof.held)
    after_s = divergence.at_s + _CLOCK_SLACK_S
    survivor = set(link.active.server_ids)
    if any(one.server_id in survivor and one.at_s > after_s for one in proof.held):
        return True
    try:
        found = gateway.reader(question.new_replica_id).query(probe.read_sql(link.id, Direction.FORWARD))
    except NodeError:
        return False  # no probes on this link: then only a later write shows it
    return any(row["token"] == divergence.run_id for row in found)
