"""A failed-over world whose lost side was rebuilt: b accepts writes, a holds b's rows up to a position of b's log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from backend.core.binlog.groups import Group
from backend.core.checks.context import CheckContext
from backend.core.checks.run import Check, run_checks
from backend.core.link_facts import Divergence
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.orphans.model import OrphanList, OrphanTransaction, TransactionKind
from backend.core.orphans.rebuilt_side import locate_rebuilt
from backend.core.orphans.report import OrphanReport
from backend.core.plan import Plan
from backend.core.plans import reprotect
from backend.core.positions import FilePosition
from backend.core.probe import read_sql
from backend.core.topology import Direction
from tests.core.builders.orphan_worlds import KEYED, KEYLESS, SHAPES, insert, row, stored, transaction
from tests.fakes.gateway import FakeGateway
from tests.fakes.log import FakeLog, Placed
from tests.fakes.plans import context_of
from tests.fakes.rows import FakeTables
from tests.fakes.statements import parse_token
from tests.fakes.world import LINK_ID, USERS, FakeWorld

NEW_UUID = "99999999-0000-0000-0000-000000000001"
RUN = "r_failover0001"
LATE_S = 10_000.0


@dataclass
class Rebuilt:
    """The world, and b's transactions in its log: each inserts one row named by its uid."""

    world: FakeWorld
    donor: str = "b2"
    keyless: set[int] = field(default_factory=set)
    tables: FakeTables = field(default_factory=FakeTables)

    @property
    def placed(self) -> list[Placed]:
        """b's groups as the donor logged them."""
        return self.world.node(self.donor).log.placed

    def copy(self, count: int) -> FilePosition:
        """The rows of the first `count` groups, as a backup there would hold them; where it was taken."""
        held = [insert(row(p.txn.uid), self._shape(p.txn.uid)) for p in self.placed[:count] if p.txn.kind == "dml"]
        rows = {name: [stored(one.after) for one in held if one.name == name and one.after] for name in SHAPES}
        self.tables = FakeTables(rows, {KEYED.name: ("id",)})
        return self.placed[count - 1].end

    def _shape(self, uid: int) -> Any:
        return KEYLESS if uid in self.keyless else KEYED

    def book(self, source_id: str, replica_id: str, begins: FilePosition, groups: Sequence[Group]) -> OrphanList:
        """Implements `RowSource`."""
        del source_id, replica_id, begins
        by_end = {p.end: p.txn for p in self.placed}
        found: list[OrphanTransaction] = []
        for group in groups:
            txn = by_end[group.end_position]
            rows = [] if txn.kind == "ddl" else [insert(row(txn.uid), self._shape(txn.uid))]
            kind = TransactionKind.DDL if txn.kind == "ddl" else TransactionKind.ROWS
            one = transaction(len(found), rows, kind=kind, statement=txn.statement, seqno=group.xid)
            located = {"begin": group.begin_position, "end": group.end_position, "server_id": txn.server_id}
            found.append(replace(one, **located, at_s=int(LATE_S)))  # type: ignore[arg-type]
        return OrphanList("d" * 64, tuple(found), dict(SHAPES))

    def count(self, node_id: str, asked: Sequence[str]) -> Mapping[str, int]:
        """Implements `RowSource`."""
        del node_id
        return {sql: self.tables.count(sql) for sql in asked}

    def context(self, **more: Any) -> CheckContext:
        """Of a reprotect from the donor onto a1."""
        return replace(context_of(self.world, self.donor, "a1"), accepts_loss=True, **more)

    def locate(self, backup: str) -> Located:
        """Ask for the place."""
        ctx = self.context()
        question = LocateRequest(
            Direction.FORWARD, f"n_{self.donor}", "n_a1", None, None, is_moving=False, backup=backup
        )
        return locate_rebuilt(question, ctx.link, FakeGateway(self.world, moves=False), self)

    def plan(self, *, checks: Iterable[Check] = (), **options: Any) -> Plan:
        """Decide as the console does, the checks left out unless they are given."""
        chosen: dict[str, Any] = {"orphans": "rebuild", "accept_loss": True, **options}
        ctx = replace(self.context(), accepts_loss=bool(chosen["accept_loss"]))
        asked = reprotect.requests_for(ctx, chosen["orphans"], chosen)
        located = tuple(locate_rebuilt(q, ctx.link, FakeGateway(self.world, moves=False), self) for q in asked)
        orphans = OrphanReport("unknown", "No scan was made.")
        findings = run_checks(ctx, checks)
        return reprotect.decide(ctx, findings, located, orphans, replication_users=USERS, options=chosen)


def failed_over() -> FakeWorld:
    """a is lost, b accepts writes alone; a's nodes are down."""
    world = FakeWorld.classic()
    for _ in range(3):
        world.tick()
    world.divergence = Divergence(
        lost_cluster_id=world.a.id,
        survivor_cluster_id=world.b.id,
        lost_state_uuid=world.a.uuid,
        at_s=LATE_S / 2,
        run_id=RUN,
    )
    world.turn(world.b.id)
    for node in world.b.nodes:
        node.channels.clear()
    world.kill_side(world.a)
    return world


def rebuilt(*, after: int = 12, state: str = "", uuid: str = NEW_UUID) -> Rebuilt:
    """The lost side is back under another state UUID, and what its nodes ever logged is `state`."""
    world = failed_over()
    world.write_times(after, "b2")
    bring_back(world, state=state, uuid=uuid)
    return Rebuilt(world)


def bring_back(world: FakeWorld, *, state: str = "", uuid: str = NEW_UUID) -> None:
    """a's nodes answer again, without channels, with fresh logs."""
    world.a.uuid = uuid
    for node in world.a.nodes:
        world.restart(node.name)
        node.channels.clear()
        node.log = FakeLog(server_id=node.server_id)
        node.variables |= {"gtid_binlog_state": state, "read_only": "ON"}
        node.probes[_probe_key()] = RUN


def _probe_key() -> Any:
    return parse_token(read_sql(LINK_ID, Direction.FORWARD))


def names(found: Plan) -> set[str]:
    """Codes that refuse."""
    return {finding.code for finding in found.findings if finding.refuses}
