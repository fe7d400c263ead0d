"""A source and a replica on loopback addresses of their own, with TLS, and the channel between them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.lab.layout import Node
from deploy.lab.mysql import template
from deploy.lab.mysql.channels import change_source
from deploy.lab.mysql.grants import account_sql
from deploy.lab.mysql.server import MysqlServer
from deploy.lab.server import accounts, tls
from deploy.lab.server.accounts import Account
from deploy.lab.server.coordinate import Coordinate
from deploy.lab.server.process import wait_until
from deploy.lab.server.schema import tables_sql
from deploy.servers.server import Server
from deploy.services.net import free_net

CHANNEL = "dr"
HOSTS = ("9.1", "9.2")
"""Beside the addresses of a lab on the same net."""
_CATCH_UP_S = 20


@dataclass(frozen=True)
class Pair:
    """Two running servers; `channel` is the replica's, by GTID where both have it."""

    source: MysqlServer
    replica: MysqlServer
    accounts: dict[str, Account]
    ca: Path
    has_gtid: bool
    channel: str = CHANNEL

    @property
    def servers(self) -> tuple[MysqlServer, MysqlServer]:
        """Source first."""
        return self.source, self.replica

    def connect(self) -> None:
        """Set up the channel at the end of the source's log, and start it."""
        end = self.source.sql("SHOW BINARY LOG STATUS")[0]
        at = None if self.has_gtid else Coordinate(str(end["File"]), int(end["Position"]))
        own, account = self.replica.node.server_id, self.accounts["replication"]
        self.replica.sql(change_source(self.source.node, account, self.ca, at, [own], self.channel))
        self.replica.sql(f"START REPLICA FOR CHANNEL '{self.channel}'")

    def status(self) -> dict[str, object]:
        """The channel's row of SHOW REPLICA STATUS."""
        return dict(self.replica.sql(f"SHOW REPLICA STATUS FOR CHANNEL '{self.channel}'")[0])

    def catch_up(self) -> None:
        """Wait until the replica applied all that the source logged; LabError after a time limit."""
        end = self.source.sql("SHOW BINARY LOG STATUS")[0]
        at = (end["File"], int(end["Position"]))

        def is_there() -> bool:
            row = self.status()
            return (str(row["Relay_Source_Log_File"]), int(str(row["Exec_Source_Log_Pos"]))) >= at

        wait_until(is_there, _CATCH_UP_S, f"{self.replica.node.name} to apply {at[0]}:{at[1]}")


def _prepare(home: Path, release: Server, data: Path, has_gtid: bool, options: dict[str, str]) -> Pair:
    """Folders, certificates and accounts of both servers; nothing is started."""
    net, made = free_net(hosts=HOSTS), accounts.create()
    mode = "ON" if has_gtid else "OFF"
    options = {"gtid_mode": mode, "enforce_gtid_consistency": mode, **options}
    nodes = [Node(f"my-{index}", "ab"[index - 1], 1, f"{net}.{HOSTS[index - 1]}", index, index) for index in (1, 2)]
    folder = home / "tls"
    folder.mkdir(mode=0o700)
    tls.ensure(folder, nodes)
    source, replica = (MysqlServer(node, home / node.name, release, options) for node in nodes)
    for server in (source, replica):
        server.create(data, [*tables_sql(), *account_sql(made)])
    return Pair(source, replica, made, folder / "ca.pem", has_gtid)


@contextmanager
def running_pair(*, has_gtid: bool = True, options: dict[str, str] | None = None) -> Iterator[Pair]:
    """A pair with its channel running, taken down at the end; `options` go to both servers."""
    release, data = template.ensure()
    home = Path(tempfile.mkdtemp(prefix="hawser-my-"))
    pair = _prepare(home, release, data, has_gtid, options or {})
    try:
        for server in pair.servers:
            server.launch()
        for server in pair.servers:
            server.await_ready()
        pair.connect()
        yield pair
    finally:
        for server in pair.servers:
            server.kill()  # nothing of it is kept, and a clean end takes two seconds
        shutil.rmtree(home, ignore_errors=True)
