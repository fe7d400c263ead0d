"""Opens snapshots on several nodes at nearly one moment, and tells which tables were being written then.

What has been applied where is told by places in logs: the channel's before the snapshots, the ends of the sources' logs
behind them. What stands between may be in one snapshot and not yet in another. All logs and snapshots are asked of
nodes that have applied what their cluster committed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from backend.core.dialects import dialect_to_watch
from backend.core.dialects.galera import CAUSAL_READ
from backend.core.link_facts import LinkFacts
from backend.core.link_state import History, view_directions
from backend.core.link_state.channels import ChannelView
from backend.core.ports import NodeError, Row
from backend.core.positions import FilePosition, MariadbGtidSet
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.connection.errors import NotAllowedError
from backend.gateway.connection.session import Session
from backend.gateway.connection.statement_filter import is_reading
from backend.gateway.gateway import NodeGateway
from backend.gateway.parallel_reads import side_by_side
from backend.gateway.polling.binlog_tail import BinlogTail

_BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
_AS_LOGGED = ", time_zone='+00:00'"
"""The time zone in which both sides' times are the same text."""
APPLIED_S = 10.0
"""How long a node may take until it has applied what its cluster committed."""


class SnapshotReader:
    """One node as it was when the snapshot began; a lost connection loses the snapshot, and raises NodeError."""

    def __init__(self, access: NodeAccess, *, read_s: float) -> None:
        self.node_id = access.ref.id
        name = access.ref.name
        self._session = Session(name, access.operator, read_only=True, read_s=read_s, settings=_AS_LOGGED)
        self._connection_id: int | None = None

    def begin(self) -> None:
        """Begin anew, behind all that the cluster has committed; raises NodeError."""
        self._session.run_causal_read(timeout_s=APPLIED_S)
        self._session.run(_BEGIN)
        self._connection_id = self._session.connection_id

    def query(self, sql: str) -> Sequence[Row]:
        """Rows as of the snapshot; raises NodeError."""
        if not is_reading(sql):
            raise NotAllowedError(self._session.name, "a snapshot may only use SELECT; nothing was sent")
        if self._session.connection_id != self._connection_id:
            raise NodeError(self._session.name, "the connection was lost, and the snapshot with it")
        return self._session.run(sql)

    def end(self) -> None:
        """Let the server forget the rows of before."""
        if self._session.is_open:
            self._session.run("ROLLBACK")

    def close(self) -> None:
        """End the session."""
        self._session.close()


@dataclass(frozen=True, slots=True)
class _Window:
    """What of a source's log may stand in one snapshot and not in another: what is behind `begins`."""

    node_id: str
    begins: FilePosition


class TableSnapshots:
    """Implements the core's `Snapshots`; `readers`: a session for each node, the reference first."""

    def __init__(self, readers: Sequence[SnapshotReader], touched: frozenset[str] | None) -> None:
        self._readers = list(readers)
        self.touched = touched

    @property
    def node_ids(self) -> list[str]:
        """The reference first."""
        return [reader.node_id for reader in self._readers]

    def first(self, sql: str) -> Sequence[Row]:
        """Rows of the reference; raises NodeError."""
        return self._readers[0].query(sql)

    def each(self, sql: str) -> Mapping[str, Sequence[Row]]:
        """Rows of each node; raises NodeError."""
        return dict(zip(self.node_ids, side_by_side(lambda reader: reader.query(sql), self._readers), strict=True))

    def end(self) -> None:
        """Let the servers forget the rows of before; raises NodeError."""
        side_by_side(SnapshotReader.end, self._readers)


def open_snapshots(gateway: NodeGateway, readers: Sequence[SnapshotReader]) -> TableSnapshots:
    """Begin a snapshot on each node; raises NodeError."""
    link = gateway.observe_link()
    windows, is_in_order = _windows(link, {reader.node_id for reader in readers}), _is_in_order(gateway, link)
    side_by_side(SnapshotReader.begin, readers)
    ends = side_by_side(partial(_end_of_log, gateway, link), windows)
    touched = side_by_side(partial(_touched, gateway, link), list(zip(windows, ends, strict=True)))
    known = [one for one in touched if one is not None]
    is_known = is_in_order and len(known) == len(touched)
    return TableSnapshots(readers, frozenset().union(*known) if is_known else None)


def _windows(link: LinkFacts, node_ids: Collection[str]) -> list[_Window]:
    """One for each cluster of which a node is read: from the channel's place, or from the log's end where none reads.

    Raises NodeError where a place is not known.
    """
    places = _places(link)
    found = []
    for cluster in (link.active, link.standby):
        read = [node for node in cluster.nodes if node.node.id in node_ids]
        source = next((node for node in cluster.nodes if node.node.id in places), None) or next(iter(read), None)
        if source is None or not read:
            continue
        if source.binlog is None:
            raise NodeError(source.node.name, source.error or "its log's end could not be read")
        found.append(_Window(source.node.id, places.get(source.node.id, source.binlog.end)))
    return found


def _places(link: LinkFacts) -> dict[str, FilePosition]:
    """What each channel has executed of its source's log, by the source's id; raises NodeError where one is unknown."""
    found = {}
    for view in _channels(link):
        place = view.channel.exec_position
        if view.recorded or place is None:
            raise NodeError(link.node(view.replica_node_id).node.name, "the place of its channel could not be read")
        found[view.source_node_id] = place
    return found


def _channels(link: LinkFacts) -> Iterator[ChannelView]:
    views = view_directions(link, History(), link.observed_at_s)
    return (view.channel for view in views if view.channel is not None)


def _is_in_order(gateway: NodeGateway, link: LinkFacts) -> bool:
    """Whether the place of each channel has behind it all that it received of other domains than its source's own.

    In GTID mode parallel appliers run domains independently: the place may be at the end while a transaction of another
    domain waits (10.11.19). Raises NodeError.
    """
    by_gtid = [view for view in _channels(link) if view.channel.using_gtid != "No"]
    return all(side_by_side(partial(_has_applied_other_domains, gateway, link), by_gtid))


def _has_applied_other_domains(gateway: NodeGateway, link: LinkFacts, view: ChannelView) -> bool:
    if gateway.under_change([view.replica_node_id]):
        return False  # it is not asked for its channels
    rows = gateway.reader(view.replica_node_id).query("SHOW ALL SLAVES STATUS")
    own = link.node(view.source_node_id).variable("gtid_domain_id")
    for row in rows:
        if str(row["Connection_name"]) == view.channel.name:
            received = MariadbGtidSet.parse(str(row["Gtid_IO_Pos"]))
            applied = MariadbGtidSet.parse(str(row["Gtid_Slave_Pos"]))
            return all(applied.of_domain(gtid.domain) == gtid for gtid in received if str(gtid.domain) != own)
    return False


def _end_of_log(gateway: NodeGateway, link: LinkFacts, window: _Window) -> FilePosition:
    """Behind all that the cluster had committed when the snapshots began; raises NodeError."""
    reader, facts = gateway.reader(window.node_id), link.node(window.node_id)
    reader.query(CAUSAL_READ, timeout_s=APPLIED_S)
    row = reader.query(dialect_to_watch(facts.flavor, facts.version).binlog_end_query())[0]
    return FilePosition(str(row["File"]), int(str(row["Position"])))


def _touched(gateway: NodeGateway, link: LinkFacts, read: tuple[_Window, FilePosition]) -> frozenset[str] | None:
    """The tables of all transactions in the window; None where that is unknown: a statement, or too much to read."""
    window, end = read
    if end == window.begins:
        return frozenset()
    facts, tail = link.node(window.node_id), BinlogTail(window.begins)
    tail.advance(gateway.reader(window.node_id).query_rows, dialect_to_watch(facts.flavor, facts.version), end)
    groups = tail.since(window.begins, end) if tail.has_read(end) else None
    if groups is None:
        return None
    changing = [group for group in groups if not group.changes_nothing]
    return None if any(not group.tables for group in changing) else frozenset().union(*(g.tables for g in changing))
