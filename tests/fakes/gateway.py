"""The ports over a `FakeWorld`, with sessions that can be lost, killed, or outlive their owner."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from backend.core.binlog.events import LogEvent
from backend.core.facts.events import EVENTS_SQL
from backend.core.link_facts import LinkFacts
from backend.core.ports import NodeError, Row, RowStatement, SchemaStatement
from backend.core.positions import FilePosition, MariadbGtidSet
from backend.core.steps.probe_objects import SCHEMA_SQL, TABLE_SQL
from backend.core.topology import ClusterFacts, NodeFacts, NodeRef, Reach
from tests.fakes.cluster import FakeNode, events_shown
from tests.fakes.log import LogFile
from tests.fakes.rows import packed, packed_change
from tests.fakes.statements import fill, parse_events, parse_gtid_at, parse_probes, parse_token, parse_variable
from tests.fakes.world import PASSWORD, FakeWorld

T = TypeVar("T")


class Fault(StrEnum):
    """What becomes of one changing statement."""

    REFUSED = "refused"
    WARNED = "warned"
    LOST_BEFORE = "lost_before"
    LOST_AFTER = "lost_after"
    LATE = "late"
    DIES_BEFORE = "dies_before"
    DIES_AFTER = "dies_after"
    DIES_LATE = "dies_late"


class ProcessDied(BaseException):
    """Our own process ends here; nothing of it runs any further."""


@dataclass(slots=True)
class Session:
    """One connection on a server; `in_flight` runs on although its owner has ended."""

    id: int
    node: FakeNode
    owner: object = None
    in_flight: str | None = None


def _only(cluster: ClusterFacts, meant: Collection[str]) -> ClusterFacts:
    """The cluster with those of its nodes that were polled."""
    unknown = (
        one if {one.node.id, cluster.id} & set(meant) else NodeFacts(one.node, one.observed_at_s, Reach.UNKNOWN)
        for one in cluster.nodes
    )
    return replace(cluster, nodes=tuple(unknown))


@dataclass(slots=True)
class FakeGateway:
    """Implements `Gateway`. `faults` are keyed by the ordinal (from 1) of the changing statement sent.

    `cut` are ordinals (from 1) of what else is asked of a changing session: the connection is lost with it.

    `owner` marks what its sessions do; `active_id` pins the roles the link is seen under.
    """

    world: FakeWorld
    faults: dict[int, Fault] = field(default_factory=dict)
    sent: list[tuple[str, str]] = field(default_factory=list)
    sessions: dict[int, Session] = field(default_factory=dict)
    killed: list[int] = field(default_factory=list)
    does_kill_come_late: bool = False
    late_after: int = 1
    moves: bool = True
    owner: object = None
    active_id: str | None = None
    cut: set[int] = field(default_factory=set)
    asked: int = 0

    def reader(self, node_id: str) -> FakeReader:
        """A reading session."""
        return FakeReader(self.world, self.world.node(node_id))

    def writer(self, node_id: str) -> FakeWriter:
        """A changing session; NodeError where the node does not answer."""
        node = self.world.node(node_id)
        if not node.is_up:
            raise NodeError(node.name, "cannot connect")
        session = Session(next(self.world.next_connection), node, self.owner)
        self.sessions[session.id] = session
        return FakeWriter(self, session)

    def open_ahead(self, node_ids: Sequence[str]) -> Mapping[str, FakeWriter]:
        """Changing sessions on the nodes that answer."""
        return {node_id: self.writer(node_id) for node_id in node_ids if self.world.node(node_id).is_up}

    def try_writes(self, node_ids: Sequence[str]) -> Mapping[str, int]:
        """One after the other."""
        return {node_id: self._try_write(node_id) for node_id in node_ids}

    def _try_write(self, node_id: str) -> int:
        """1290 where the node is closed to writes, 1142 for the missing grant."""
        node = self.world.node(node_id)
        if node.reach is not Reach.UP:
            raise NodeError(node.ref.name, "does not answer")
        return 1290 if node.variables.get("read_only") == "ON" else 1142

    def observe_node(self, node_id: str) -> NodeFacts:
        """Time passes with every look."""
        if self.moves:
            self.world.tick()
        return self.world.node_facts(self.world.node(node_id))

    def observe_nodes(self, node_ids: Sequence[str]) -> Mapping[str, NodeFacts]:
        """One after the other."""
        return {node_id: self.observe_node(node_id) for node_id in node_ids}

    def observe_cluster(self, cluster_id: str) -> ClusterFacts:
        """All nodes of one side."""
        link = FakeGateway.observe_link(self)
        return next(side for side in (link.active, link.standby) if side.id == cluster_id)

    def written_at(self, node_id: str, begins: FilePosition) -> int | None:
        """Transactions are numbered in the order in which they were written: their number stands for the time."""
        placed = self.world.node(node_id).log.placed
        return next((one.txn.uid for one in placed if one.start == begins), None)

    def at_once(self, calls: Sequence[Callable[[], T]]) -> Sequence[T]:
        """One after the other."""
        return [call() for call in calls]

    def observe_link(self, *, is_patient: bool = False, of: Collection[str] = ()) -> LinkFacts:
        """All nodes, or those that are meant: nothing may be concluded from the others."""
        if self.moves:
            self.world.tick()
        link = self.world.facts(self.active_id)
        return link if not of else replace(link, active=_only(link.active, of), standby=_only(link.standby, of))

    def run_late(self) -> None:
        """Statements without a waiting client take effect now, where the server still lets them."""
        for session in list(self.sessions.values()):
            sql, session.in_flight = session.in_flight, None
            if sql is not None:
                self._try(session, sql)

    def _try(self, session: Session, sql: str) -> None:
        try:
            self.world.execute(session.node, sql, session.owner)
        except NodeError:
            return


class FakeReader:
    """Implements `NodeReader`."""

    def __init__(self, world: FakeWorld, node: FakeNode) -> None:
        self._world, self._node = world, node
        self.node: NodeRef = node.ref

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Answer the questions the core asks; AssertionError for any other."""
        del timeout_s
        node = self._node
        if not node.is_up:
            raise NodeError(node.name, "cannot connect")
        rows = events_shown(node) if sql == EVENTS_SQL else self._world.answer(node, sql)
        return self._answer(self._world.translated(sql)) if rows is None else rows

    def _answer(self, sql: str) -> Sequence[Row]:
        node = self._node
        if sql == "SHOW BINARY LOGS":
            return [{"Log_name": name, "File_size": size} for name, size in node.log.files()]
        if sql == "SET STATEMENT wsrep_sync_wait=1 FOR SELECT 1":
            return [{"1": 1}]
        if sql == "SHOW GLOBAL STATUS LIKE 'wsrep_last_committed'":
            wsrep = self._world.node_facts(node).wsrep
            return [{"Variable_name": "wsrep_last_committed", "Value": str(wsrep.last_committed)}] if wsrep else []
        if sql == "SELECT @@GLOBAL.gtid_slave_pos AS gtid":
            return [{"gtid": str(node.slave_pos)}]
        if sql.startswith("SELECT MASTER_GTID_WAIT("):
            node.slave_pos, node.stored_late = MariadbGtidSet.of([*node.slave_pos, *node.stored_late]), ()
            return [{"reached": 0}]
        if (position := parse_gtid_at(sql)) is not None:
            return [{"gtid": str(node.log.state_at(position))}]
        if (asked := parse_events(sql)) is not None:
            return self._events(sql)
        if sql in (SCHEMA_SQL, TABLE_SQL):
            return [{"n": int(("TABLE" if sql == TABLE_SQL else "DATABASE") in node.probe_objects)}]
        if "FROM information_schema.TABLES" in sql:
            return [{"name": name, "engine": engine, "table_rows": 0} for name, engine in node.not_innodb.items()]
        if (key := parse_token(sql)) is not None:
            return [{"token": node.probes[key]}] if key in node.probes else []
        if (link := parse_probes(sql)) is not None:
            tokens = [token for (of, _), token in node.probes.items() if of == link]
            fixed = {"link_id": link, "written_on": node.name, "written_at": "2026-01-01"}
            return [{**fixed, "token": token} for token in tokens]
        variable = parse_variable(sql)
        assert variable is not None, f"not a question of the core: {sql!r}, {asked}"
        return [{"value": variables_of(node).get(variable)}]

    def _events(self, sql: str) -> Sequence[Row]:
        asked = parse_events(sql)
        assert asked is not None
        if asked.relay_of is None:
            rows = self._node.log.events(asked.file, asked.start, limit=asked.limit, skip=asked.skip)
        else:
            rows = _relay_rows(self._node, asked.relay_of, asked.file, asked.start)[asked.skip :][: asked.limit]
        return [
            {
                "Log_name": e.file,
                "Pos": e.pos,
                "Event_type": e.type,
                "Server_id": e.server_id,
                "End_log_pos": e.end_log_pos,
                "Info": e.info,
            }
            for e in rows
        ]

    def close(self) -> None:
        """Nothing to end."""


def variables_of(node: FakeNode) -> dict[str, str]:
    """Server variables, all provider options as one of them."""
    options = "; ".join(f"{name} = {value}" for name, value in node.options.items())
    return {**node.variables, "wsrep_provider_options": options}


def _relay_rows(node: FakeNode, channel: str, file: str, start: int) -> list[LogEvent]:
    relay: LogFile = node.channels[channel].relay
    if relay.name != file:
        raise NodeError(node.name, f"Could not find target log {file}", code=1220)
    return relay.events[bisect_left(relay.offsets, start) :]


class FakeWriter:
    """Implements `NodeWriter`."""

    def __init__(self, gateway: FakeGateway, session: Session) -> None:
        self._gateway, self._session = gateway, session
        self.node: NodeRef = session.node.ref

    def identity(self) -> Mapping[str, str]:
        """Who this session reached."""
        node = self._asked()
        return {
            "server_id": str(node.server_id),
            **node.identity,
            "connection_id": str(self._session.id),
        }

    def _asked(self) -> FakeNode:
        gateway, node = self._gateway, self._session.node
        gateway.asked += 1
        if gateway.asked in gateway.cut or gateway.sessions.get(self._session.id) is not self._session:
            raise NodeError(node.name, "connection lost", indeterminate=True)
        if not node.is_up:
            raise NodeError(node.name, "connection lost", indeterminate=True)
        return node

    def execute(self, sql: str, *, secrets: Mapping[str, str], timeout_s: float) -> Sequence[str]:
        """Send one statement, with whatever fault was ordered for it."""
        del timeout_s
        gateway, node = self._gateway, self._session.node
        if fill(sql, lambda name: secrets[name]) != sql:
            assert set(secrets.values()) == {PASSWORD}
        if not node.is_up:
            raise NodeError(node.name, "connection lost", indeterminate=True)
        if gateway.sessions.get(self._session.id) is not self._session:
            raise NodeError(node.name, "the session was killed", indeterminate=True)
        gateway.sent.append((node.name, sql))
        fault = gateway.faults.get(len(gateway.sent))
        if len(gateway.sent) - gateway.late_after >= min(_late_ordinals(gateway), default=10**6):
            gateway.run_late()
        return self._with(fault, sql)

    def _with(self, fault: Fault | None, sql: str) -> Sequence[str]:
        world, node = self._gateway.world, self._session.node
        if fault is Fault.REFUSED:
            raise NodeError(node.name, "error 1205: lock wait timeout", code=1205)
        if fault is Fault.DIES_BEFORE:
            raise ProcessDied
        if fault is Fault.LOST_BEFORE:
            raise NodeError(node.name, "connection lost", indeterminate=True)
        if fault in (Fault.LATE, Fault.DIES_LATE):
            self._session.in_flight = sql
            if fault is Fault.DIES_LATE:
                raise ProcessDied
            raise NodeError(node.name, "no answer within 60 s", indeterminate=True)
        warnings = world.execute(node, sql, self._session.owner)
        if fault is Fault.DIES_AFTER:
            raise ProcessDied
        if fault is Fault.LOST_AFTER:
            raise NodeError(node.name, "connection lost", indeterminate=True)
        return [*warnings, "Warning 1234: something odd"] if fault is Fault.WARNED else warnings

    def apply_transaction(self, statements: Sequence[RowStatement], *, marker: str, timeout_s: float) -> None:
        """Rows of an application, with whatever fault was ordered."""
        self.execute(packed(statements, marker), secrets={}, timeout_s=timeout_s)

    def apply_schema_change(self, change: SchemaStatement, *, marker: str, timeout_s: float) -> None:
        """A definition and then its marker, each with whatever fault was ordered."""
        self.execute(packed_change(change), secrets={}, timeout_s=timeout_s)
        self.apply_transaction((), marker=marker, timeout_s=timeout_s)

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """Read back."""
        return FakeReader(self._gateway.world, self._session.node).query(sql, timeout_s=timeout_s)

    def kill_session(self, connection_id: int) -> bool:
        """End another session; what it was doing is dropped, or (`does_kill_come_late`) was just done."""
        gateway = self._gateway
        self._asked()
        gateway.killed.append(connection_id)
        session = gateway.sessions.pop(connection_id, None)
        if session is not None and session.in_flight is not None and gateway.does_kill_come_late:
            gateway._try(session, session.in_flight)
        return True

    def close(self) -> None:
        """End the session; a statement in flight runs on."""
        if self._session.in_flight is None:
            self._gateway.sessions.pop(self._session.id, None)


def _late_ordinals(gateway: FakeGateway) -> list[int]:
    return [n for n, fault in gateway.faults.items() if fault is Fault.LATE and n < len(gateway.sent)]
