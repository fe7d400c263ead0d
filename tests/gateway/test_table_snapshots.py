"""Snapshots are begun behind what was committed, and what may be in one and not in another is never left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from backend.core.dialects.galera import CAUSAL_READ
from backend.core.link_facts import LinkFacts
from backend.core.ports import NodeError, Row
from backend.core.topology import NodeRef
from backend.gateway import table_snapshots
from backend.gateway.table_snapshots import SnapshotReader, open_snapshots
from tests.fakes.gateway import FakeReader
from tests.fakes.world import FakeWorld

SOURCE, REPLICA = "a1", "b1"
BEGIN, END = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY", "SHOW MASTER STATUS"


@dataclass
class Servers:
    """Implements what snapshots need of a gateway; `asked`: by node, in order. `gtid`: what each channel has received
    and applied. `between`: happens as that of the source begins."""

    world: FakeWorld
    gtid: tuple[str, str] = ("", "")
    asked: list[tuple[str, str]] = field(default_factory=list)
    changing: tuple[str, ...] = ()
    between: Any = None
    connection_id: int = 1

    def observe_link(self) -> LinkFacts:
        """As the world is."""
        return self.world.facts()

    def under_change(self, node_ids: Sequence[str]) -> list[str]:
        """Those whose channels a run is changing."""
        return [one for one in node_ids if one in self.changing]

    def reader(self, node_id: str) -> Reader:
        """A session of the monitor."""
        return Reader(self, node_id)

    def session(self, name: str) -> Session:
        """A session of the operator."""
        return Session(self, name)


class Reader:
    """A session that reads."""

    def __init__(self, servers: Servers, node_id: str) -> None:
        self.servers, self.node = servers, servers.world.node(node_id)

    def query(self, sql: str, *, timeout_s: float | None = None) -> Sequence[Row]:
        """The fake server's answer, and where its channel stands by GTID."""
        del timeout_s
        self.servers.asked.append((self.node.name, sql))
        if sql == END:
            end = self.servers.world.node_facts(self.node).binlog
            assert end is not None
            return [{"File": end.end.file, "Position": end.end.offset}]
        if sql == "SHOW ALL SLAVES STATUS":
            received, applied = self.servers.gtid
            name = next(iter(self.node.channels))
            return [{"Connection_name": name, "Gtid_IO_Pos": received, "Gtid_Slave_Pos": applied}]
        return FakeReader(self.servers.world, self.node).query(sql)

    def query_rows(self, sql: str, *, timeout_s: float | None = None) -> Sequence[tuple[Any, ...]]:
        """The same as the driver has them: tuples, with texts as bytes."""
        rows = self.query(sql, timeout_s=timeout_s)
        return [tuple(one.encode() if isinstance(one, str) else one for one in row.values()) for row in rows]


class Session:
    """A session of the operator account."""

    def __init__(self, servers: Servers, name: str) -> None:
        self.servers, self.name, self.is_open = servers, name, True

    @property
    def connection_id(self) -> int:
        """A new one after each reconnect."""
        return self.servers.connection_id

    def run_causal_read(self, *, timeout_s: float) -> None:
        """Waits for what was committed."""
        del timeout_s
        self.servers.asked.append((self.name, CAUSAL_READ))

    def run(self, sql: str) -> list[Row]:
        """Nothing; a commit may fall behind the snapshot's begin."""
        self.servers.asked.append((self.name, sql))
        if sql == BEGIN and self.name == SOURCE and self.servers.between is not None:
            self.servers.between()
        return []


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Servers:
    """Two sides with a channel each way, that have applied all."""
    made = Servers(FakeWorld.classic(has_gtid_channels=True))
    made.world.converge()
    monkeypatch.setattr(table_snapshots, "Session", lambda name, *_, **__: made.session(name))
    return made


def reader(servers: Servers, name: str) -> SnapshotReader:
    """A snapshot of that node to be."""
    node = servers.world.node(name)
    ref = NodeRef(node.ref.id, name, node.ref.host, node.ref.port, node.ref.cluster_id)
    return SnapshotReader(SimpleNamespace(ref=ref, operator=None), read_s=1.0)  # type: ignore[arg-type]


def touched(servers: Servers) -> frozenset[str] | None:
    """The tables of which rows may be in one snapshot only."""
    return open_snapshots(servers, [reader(servers, SOURCE), reader(servers, REPLICA)]).touched  # type: ignore[arg-type]


def test_snapshots__begun__each_behind_a_causal_read_of_its_own(servers: Servers) -> None:
    touched(servers)
    for name in (SOURCE, REPLICA):
        asked = [sql for node, sql in servers.asked if node == name]
        assert BEGIN in asked
        assert asked[asked.index(BEGIN) - 1] == CAUSAL_READ


def test_ends_of_logs__read_behind_all_snapshots_and_a_causal_read(servers: Servers) -> None:
    touched(servers)
    begun = max(place for place, (_, sql) in enumerate(servers.asked) if sql == BEGIN)
    ends = [place for place, (_, sql) in enumerate(servers.asked) if sql == END]
    assert ends
    assert min(ends) > begun
    for place in ends:
        name = servers.asked[place][0]
        behind = [sql for node, sql in servers.asked[begun + 1 : place] if node == name]
        assert CAUSAL_READ in behind


def test_transaction__committed_as_the_snapshots_begin__its_table_is_touched(servers: Servers) -> None:
    servers.between = lambda: servers.world.write(SOURCE, shape="plain")
    assert touched(servers) == {"shop.orders"}


def test_other_domain__received_and_not_applied__anything_may_have_been_touched(servers: Servers) -> None:
    assert touched(servers) == frozenset()
    servers.gtid = ("0-1-9,77-1-5", "0-1-9,77-1-4")
    assert touched(servers) is None
    servers.gtid = ("0-1-9,77-1-5", "0-1-9,77-1-5")
    assert touched(servers) == frozenset()


def test_channels__changed_by_a_run__anything_may_have_been_touched(servers: Servers) -> None:
    servers.changing = (servers.world.node(REPLICA).ref.id,)
    assert touched(servers) is None
    assert not any(sql == "SHOW ALL SLAVES STATUS" for node, sql in servers.asked if node == REPLICA)


def test_snapshot__connection_lost_and_made_anew__refused(servers: Servers) -> None:
    snapshot = reader(servers, SOURCE)
    snapshot.begin()
    snapshot.query("SELECT 1")
    servers.connection_id += 1
    with pytest.raises(NodeError, match="the snapshot with it"):
        snapshot.query("SELECT 1")
    assert [sql for _, sql in servers.asked].count("SELECT 1") == 1
