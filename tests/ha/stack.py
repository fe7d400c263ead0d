"""Two hosts of the console behind nginx, on a database and a Redis that are either one server or three."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from deploy.demo import console as demo_console
from deploy.demo import secrets
from deploy.demo.api import Api
from deploy.demo.register import register
from deploy.lab.api import Lab
from deploy.lab.load.control import Order
from deploy.lab.server.database import Row, rows
from deploy.lab.verify.judge import Verdict
from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_net, free_port, port_open
from deploy.services.process import wait_until
from deploy.services.redis import start_redis
from tests.faults.parts.host import small_disk
from tests.ha.client import Client
from tests.ha.parts import console, network, samples
from tests.ha.parts.database import DATABASE, USER, ConsoleCluster
from tests.ha.parts.part import Part, host
from tests.ha.parts.redis import Redises

HERE = "127.0.0.1"
READY_S = 120.0
DISK = "300m"
LOAD = Order(writers=2, rate=4.0, seconds=10_000)


class HaStack:
    """All parts by name; `begin` starts them, `end` leaves nothing behind."""

    def __init__(self) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="hawser-ha-"))
        self.parts: dict[str, Part] = {}
        self.port, self.token = free_port(), ""
        self.link_id = ""
        self.cluster: ConsoleCluster | None = None
        self.redises: Redises | None = None
        self.lab: Lab | None = None
        self.apis: list[Api] = []
        self._clients: list[Client] = []
        self._ends: list[Callable[[], object]] = []

    def _disk(self) -> None:
        """Logs and temporary files of both hosts lie on a small disk of their own, which a test can fill."""
        mounted = ExitStack()
        small_disk(self.home / "logs", mounted, DISK)
        self._ends.append(mounted.close)

    def begin_small(self) -> None:
        """One MariaDB and one Redis below both hosts."""
        self._disk()
        database = start_mariadb(self.home / "mariadb", self.home / "logs/mariadb.log", durable=True)
        self._ends.append(database.child.stop)
        redis = start_redis(self.home / "redis", self.home / "logs/redis.log")
        self._ends.append(redis.child.stop)
        self._hosts()
        self._console([(database.url, redis.url)] * 2)

    def begin(self) -> None:
        """Three of each, behind an HAProxy on each host."""
        self._disk()
        self.cluster = ConsoleCluster(self.home, free_net())
        self._ends.append(self.cluster.down)
        self.cluster.start()
        self.redises = Redises(self.home)
        self.redises.start()
        self.parts |= self.redises.parts
        self._hosts()
        self._console([self._haproxy(number, self.cluster, self.redises) for number in console.HOSTS])
        self.lab = Lab(self.home / "lab", free_net())
        self._ends.append(self.lab.down)
        self.lab.up()
        self.link_id = register(self.apis[0], self.lab.describe())
        self.lab.load_start(LOAD)

    def _hosts(self) -> None:
        for number in console.HOSTS:
            self.parts[f"host-{number}"] = host(f"host-{number}", self.home)

    def _haproxy(self, number: int, cluster: ConsoleCluster, redises: Redises) -> tuple[str, str]:
        ports = {"database": free_port(), "redis": free_port()}
        config = samples.haproxy(self.home, ports, [(n.host, n.port) for n in cluster.lab.nodes], redises.ports)
        env = {"HAWSER_REDIS_PASSWORD": redises.password}
        command = ["haproxy", "-db", "-f", str(config)]
        part = Part(f"haproxy-{number}", command, self.home, env, self.parts[f"host-{number}"], is_light=True)
        self.parts[part.name] = part.start()
        assert wait_until(lambda: port_open(ports["database"]), 60), part.tail()
        database = f"mysql://{USER}:{cluster.password}@{HERE}:{ports['database']}/{DATABASE}"
        return database, f"redis://:{redises.password}@{HERE}:{ports['redis']}/0"

    def _console(self, addresses: list[tuple[str, str]]) -> None:
        webs = [free_port() for _ in console.HOSTS]
        for number, (database, redis) in zip(console.HOSTS, addresses, strict=True):
            chosen = console.options(self.home, webs[number - 1], self.home / "lab")
            env = console.settings(chosen, database, redis)
            if not self.token:
                self.token = demo_console.prepare(env, secrets.password(chosen.secrets))
            for part in console.parts(chosen, env, self.parts[f"host-{number}"]):
                self.parts[part.name] = part.start()
        config = samples.nginx(self.home, self.port, webs)
        command = ["nginx", "-c", str(config), "-g", "daemon off;", "-e", str(config.parent / "error.log")]
        self.parts["nginx"] = Part("nginx", command, self.home, is_light=True).start()
        self.apis = [Api(web, self.token) for web in webs]
        for api, number in zip(self.apis, console.HOSTS, strict=True):
            web = self.parts[f"web-{number}"]
            assert wait_until(api.ready, READY_S, web.child), web.tail()
        assert wait_until(lambda: port_open(self.port), 60), self.parts["nginx"].tail()

    def at_end(self, call: Callable[[], object]) -> None:
        """To be called when all parts have ended."""
        self._ends.append(call)

    def client(self) -> Client:
        """A caller of its own through nginx."""
        self._clients.append(Client(self.port, self.token))
        return self._clients[-1]

    def on_host(self, number: int) -> list[str]:
        """Names of the parts on one host."""
        return [name for name in self.parts if name in _ON_HOST and name.endswith(f"-{number}")]

    def rows(self, statement: str) -> list[Row]:
        """Of the console's database, read on its first node."""
        assert self.cluster is not None
        with self.cluster.lab.admin(self.cluster.names[0]) as connection:
            connection.select_db(DATABASE)
            return rows(connection, statement)

    def judge(self) -> Verdict:
        """Every write that the managed clusters acknowledged is on every node, once."""
        assert self.lab is not None
        verdict = self.lab.verify(seconds=90)
        assert verdict.clean, verdict
        return verdict

    def end(self) -> None:
        """Every process of it, and its files."""
        network.heal()
        for client in self._clients:
            client.end()
        for part in reversed(self.parts.values()):
            part.end()
        for end in reversed(self._ends):
            end()
        shutil.rmtree(self.home, ignore_errors=True)


_ON_HOST = {f"{kind}-{number}" for kind in ("web", "worker", "monitor", "haproxy") for number in console.HOSTS}
