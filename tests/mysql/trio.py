"""Three MySQL servers: two sources of one site that hold the same, and a replica that moves from one to the other."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from backend.core.link_facts import LinkFacts
from backend.core.locate.executed_inputs import read_auto_position
from backend.core.locate.executed_sets import ExecutedSets
from backend.core.topology import ClusterFacts, Direction, NodeFacts
from backend.gateway.connection.session import Session
from backend.gateway.polling.poll import poll_node
from backend.gateway.reader import Reader
from deploy.lab.layout import Node
from deploy.lab.mysql import template
from deploy.lab.mysql.grants import account_sql
from deploy.lab.mysql.pair import Pair
from deploy.lab.mysql.server import MysqlServer
from deploy.lab.server import accounts, tls
from deploy.lab.server.schema import tables_sql
from deploy.services.net import free_net
from tests.mysql.pair import access

HOSTS = ("9.3", "9.4", "9.5")
ON = {"gtid_mode": "ON", "enforce_gtid_consistency": "ON"}


@dataclass(frozen=True)
class Trio:
    """`pair` joins the first source and the replica, `neighbour` the two sources; all channels use auto-position."""

    pair: Pair
    neighbour: Pair

    @property
    def servers(self) -> tuple[MysqlServer, MysqlServer, MysqlServer]:
        """First source, second source, replica."""
        return self.pair.source, self.neighbour.replica, self.pair.replica

    def observed(self, server: MysqlServer) -> NodeFacts:
        """One poll with the monitor account."""
        found = access(self.pair, server)
        session = Session(found.ref.name, found.monitor, read_only=True)
        try:
            return poll_node(session, found.ref)
        finally:
            session.close()

    def sets(self) -> ExecutedSets:
        """What the search reads for a move of the replica to the second source."""
        _, second, replica = self.servers
        sides = [self._side("a", second), self._side("b", replica)]
        link = LinkFacts("l", "trio", *sides, self.pair.channel)
        gateway = _Readers(self)
        ids = second.node.name, replica.node.name
        try:
            found = read_auto_position(link, Direction.FORWARD, *ids, gateway, is_moving=False)  # type: ignore[arg-type]
        finally:
            gateway.close()
        return found.sets

    def _side(self, name: str, server: MysqlServer) -> ClusterFacts:
        return ClusterFacts(name, f"cluster-{name}", name, (self.observed(server),), None)


class _Readers:
    """The part of a gateway that reads."""

    def __init__(self, trio: Trio) -> None:
        self._by_name = {server.node.name: server for server in trio.servers}
        self._trio, self._open = trio, list[Reader]()

    def reader(self, node_id: str) -> Reader:
        """A session with the monitor account."""
        found = access(self._trio.pair, self._by_name[node_id])
        self._open.append(Reader(found.ref, found.monitor))
        return self._open[-1]

    def close(self) -> None:
        """End every session."""
        for reader in self._open:
            reader.close()


@contextmanager
def running_trio() -> Iterator[Trio]:
    """Taken down at the end."""
    release, data = template.ensure()
    home, made = Path(tempfile.mkdtemp(prefix="hawser-my-")), accounts.create()
    net = free_net(hosts=HOSTS)
    nodes = [Node(f"my-{i}", site, i, f"{net}.{HOSTS[i - 1]}", i, i) for i, site in enumerate("aab", start=1)]
    folder = home / "tls"
    folder.mkdir(mode=0o700)
    tls.ensure(folder, nodes)
    servers = [MysqlServer(node, home / node.name, release, ON) for node in nodes]
    first, second, replica = servers
    try:
        for server in servers:
            server.create(data, [*tables_sql(), *account_sql(made)])
            server.launch()
        for server in servers:
            server.await_ready()
        trio = Trio(*(Pair(first, other, made, folder / "ca.pem", True) for other in (replica, second)))
        trio.pair.connect()
        trio.neighbour.connect()
        yield trio
    finally:
        for server in servers:
            server.kill()
        shutil.rmtree(home, ignore_errors=True)
