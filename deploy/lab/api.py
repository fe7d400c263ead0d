"""The lab as Python calls, for scenarios; the command line is a thin layer over it."""

from __future__ import annotations

import json
import shutil
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

import MySQLdb

from deploy.lab import cluster, partition, provision, unlinked
from deploy.lab.cluster import LabContext
from deploy.lab.errors import LabError
from deploy.lab.layout import SITES, Node, Paths, Settings, default_home, default_net, nodes_of
from deploy.lab.load import control, route
from deploy.lab.load.control import Order
from deploy.lab.load.route import Console, Switches
from deploy.lab.mysql.options import require_possible
from deploy.lab.outage import lose_site
from deploy.lab.rebuild import BackupPosition, rebuild, report
from deploy.lab.registration import describe
from deploy.lab.server import accounts as accounts_file
from deploy.lab.server import process, template, tls
from deploy.lab.server.accounts import Account
from deploy.lab.server.database import DEADLOCK, Row, rows
from deploy.lab.server.schema import SCHEMA, TABLES
from deploy.lab.status import NodeStatus, node_status
from deploy.lab.upgrade import upgrade_system_tables
from deploy.lab.verify.judge import Verdict
from deploy.lab.verify.run import verify
from deploy.lab.wan import lifecycle, namespaces
from deploy.lab.wan.distance import Distance
from deploy.servers import store
from deploy.servers.catalogue import HOST
from deploy.servers.server import require_galera

CLEAN_STOP_LIMIT = 60.0


class Lab:
    """One lab in one home folder. Methods raise LabError with a sentence when they cannot do as asked."""

    def __init__(self, home: Path | None = None, net: str | None = None) -> None:
        self.paths = Paths((home or default_home()).resolve())
        self.net = net or default_net()

    @property
    def exists(self) -> bool:
        """Whether `up` was called here and `down` was not."""
        return self.paths.settings.exists()

    @property
    def settings(self) -> Settings:
        if not self.exists:
            raise LabError(f"there is no lab in {self.paths.home}. Start one with `up`")
        stored = json.loads(self.paths.settings.read_text())
        return Settings.from_stored(stored)

    @property
    def accounts(self) -> dict[str, Account]:
        return accounts_file.load(self.paths.secrets)

    @property
    def ground(self) -> LabContext:
        settings = self.settings
        return LabContext(settings, self.paths, nodes_of(settings), self.accounts["admin"])

    @property
    def nodes(self) -> list[Node]:
        return nodes_of(self.settings)

    def node(self, name: str) -> Node:
        """The node of that name."""
        found = [node for node in self.nodes if node.name == name]
        if not found:
            raise LabError(f"there is no node {name!r}. Choose from {', '.join(node.name for node in self.nodes)}")
        return found[0]

    def state(self, name: str) -> str:
        """`running`, `frozen` or `stopped`."""
        return process.state(self.paths.pid(self.node(name).name))

    def require_network(self) -> None:
        """RouterError where the lab's router has ended: nodes would wait for each other in vain."""
        lifecycle.require_running(self.paths, self.settings)

    def _require_link(self) -> None:
        if self.settings.one_cluster:
            raise LabError("this lab is one cluster over both sites, which has no link. End it with `down` for two")

    def status(self) -> list[NodeStatus]:
        """All nodes, read at the same time."""
        ground = self.ground
        with ThreadPoolExecutor(len(ground.nodes)) as pool:
            return list(pool.map(lambda node: node_status(ground, node), ground.nodes))

    def describe(self) -> dict[str, Any]:
        """See `deploy.lab.registration`."""
        self._require_link()
        return describe(self.ground, self.accounts)

    def unlink(self) -> dict[str, Any]:
        """Make two bare clusters of the lab, see `deploy.lab.unlinked`; says how a newcomer reaches them."""
        self._require_link()
        self.require_network()
        ground = self.ground
        dba = unlinked.unlink(ground)
        nodes = [ground.members(site)[0] for site in SITES]
        addresses = [{"host": node.host, "port": node.port} for node in nodes]
        return {"nodes": addresses, "user": dba.user, "password": dba.password, "ca": str(ground.paths.ca)}

    def up(self, settings: Settings | None = None) -> list[str]:
        """Bring up what is not running; returns what was done, a sentence each."""
        wanted = replace(settings or Settings(), net=self.net)
        if self.exists:
            return self._up_again(wanted)
        if wanted.wan:
            lifecycle.require_possible(self.paths, wanted)
        fetched: list[str] = []
        servers = [store.ensure(name, fetched.append) for name in dict.fromkeys(wanted.servers)]
        for server in servers:
            require_galera(server)
        require_possible(wanted, servers)
        for folder in self.paths.folders():
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._save(wanted)
        try:
            self._prepare()
            self.start_wan()
            if wanted.one_cluster:
                provision.build_one_cluster(self.ground)
            else:
                provision.build(self.ground, self.accounts["replication"])
        except BaseException:
            self._kill_all()  # a half-built lab must not pass for one
            self._remove_wan()
            self.paths.settings.unlink()
            raise
        runs = "" if wanted.servers == (HOST, HOST) else f" on {' and '.join(dict.fromkeys(wanted.servers))}"
        return [*fetched, f"built and started {len(self.nodes)} nodes ({wanted.variant}){runs} in {self.paths.home}"]

    def _prepare(self) -> None:
        if not self.paths.secrets.exists():
            accounts_file.save(self.paths.secrets, accounts_file.create())
            shutil.rmtree(self.paths.templates, ignore_errors=True)  # they hold the old passwords
        tls.ensure(self.paths.tls, self.nodes)
        for name in dict.fromkeys(self.settings.servers):
            template.ensure(self.paths, store.ready(name), self.accounts, cluster.server_user())

    def _up_again(self, wanted: Settings) -> list[str]:
        present = self.settings
        if wanted != replace(present, upgraded={}):
            before, after = asdict(present), asdict(wanted)
            differing = [f"{key} {before[key]!r}, not {after[key]!r}" for key in before if before[key] != after[key]]
            raise LabError(f"the lab in {self.paths.home} has {'; '.join(differing)}. Stop it first with `down`")
        done = [f"{node.name} is running" for node in self.nodes if self.state(node.name) == process.RUNNING]
        for node in self.nodes:
            if self.state(node.name) == process.FROZEN:
                self.thaw(node.name)
                done.append(f"{node.name} thawed")
        if self.start_wan():
            done.append("the router of the lab's distance started")
        return done + [line for site in SITES for line in self.start_site(site)]

    def start_wan(self) -> bool:
        """Start the router of a lab with distance again, if it ended; shapes and cuts are as they were."""
        settings = self.settings
        return settings.wan and lifecycle.start(self.paths, settings)

    def _remove_wan(self) -> list[str]:
        """Also of a lab that was not ended, whose home was deleted."""
        return lifecycle.remove(self.paths, self.settings if self.exists else replace(Settings(), net=self.net))

    def remove_wan(self) -> list[str]:
        """Remove what a crashed lab left of its distance; refused while a node runs, which would lose its network."""
        running = [node.name for node in self.nodes if self.state(node.name) != process.STOPPED] if self.exists else []
        if running:
            raise LabError(f"{', '.join(running)} run. End the lab with `down`, which removes its distance too")
        return self._remove_wan() or ["no router, namespace or route of this lab is left"]

    @property
    def distance(self) -> Distance:
        """Shapes, counters and cuts of a lab that was brought up with distance; LabError for another."""
        return Distance(self.paths, self.settings)

    def down(self) -> list[str]:
        """End every process and remove the home. Says what it did."""
        if not self.paths.home.exists():
            return [f"there is no lab to stop in {self.paths.home}", *self._remove_wan()]
        ended = self._kill_all()
        partition.remove_groups(self.paths)
        staying = self._remove_wan()
        shutil.rmtree(self.paths.home)
        return [f"ended {', '.join(ended) or 'nothing'}; removed {self.paths.home}", *staying]

    def _kill_all(self) -> list[str]:
        partition.heal(self.paths)
        files = sorted((self.paths.home / "run").glob("*.pid"))
        files.sort(
            key=lambda file: file.stem != control.NAME
        )  # the load first, so that it does not fail all over the place
        return [file.stem for file in files if process.kill(file)]

    def reset_fast(self, settings: Settings | None = None) -> None:
        """A fresh lab (new state UUIDs, empty logs, no ledgers) under the same passwords and certificates."""
        wanted = replace(settings or self.settings, net=self.net, upgraded={})
        self._kill_all()
        for folder in (self.paths.home / "data", self.paths.ledgers):
            shutil.rmtree(folder)
        self.paths.settings.unlink()
        self.up(wanted)

    def kill(self, name: str) -> None:
        """SIGKILL."""
        if not process.kill(self.paths.pid(self.node(name).name)):
            raise LabError(f"{name} is already down")

    def freeze(self, name: str) -> None:
        """SIGSTOP, until each of its threads has stopped: the kernel still accepts connections for it."""
        self._signal(name, signal.SIGSTOP)
        pid_file = self.paths.pid(self.node(name).name)
        process.wait_until(lambda: process.is_frozen(pid_file), 60, f"{name} to be frozen")

    def thaw(self, name: str) -> None:
        """SIGCONT."""
        self._signal(name, signal.SIGCONT)

    def _signal(self, name: str, number: signal.Signals) -> None:
        if not process.send(self.paths.pid(self.node(name).name), number):
            raise LabError(f"{name} is down")

    def stop(self, name: str) -> None:
        """Clean shutdown; a frozen node is thawed first."""
        if not process.terminate(self.paths.pid(self.node(name).name), CLEAN_STOP_LIMIT):
            raise LabError(f"{name} is already down")

    def start(self, name: str, *, bootstrap: bool = False, wait: bool = True) -> None:
        """Start a dead node: as a member of its living cluster, or as the first of it if told so."""
        node, ground = self.node(name), self.ground
        self.require_network()
        if self.state(name) != process.STOPPED:
            raise LabError(f"{name} is {self.state(name)}. Only a node that is down can be started")
        alive = [other.name for other in ground.members(node.site) if self.state(other.name) == process.RUNNING]
        if not alive and not bootstrap:
            raise LabError(f"no node of site {node.site} is up. Use `start {node.site}` or --bootstrap")
        if alive and bootstrap:
            raise LabError(f"{', '.join(alive)} are up. Bootstrapping {name} would create a second cluster")
        (cluster.bootstrap if bootstrap else cluster.rejoin)(ground, node)
        if wait:
            cluster.wait_synced(ground, [node])

    def upgrade(self, name: str, server: str) -> list[str]:
        """Stop a node if it runs, start it on another release, upgrade its system tables. Says what was fetched."""
        self.require_network()
        fetched: list[str] = []
        release = store.ensure(server, fetched.append)
        require_galera(release)
        require_possible(self.settings, [release, self.ground.server(self.node(name))])
        if self.state(name) != process.STOPPED:
            self.stop(name)
        present = self.settings
        self._save(replace(present, upgraded={**present.upgraded, name: server}))
        self.ground.write_config(self.node(name))
        self.start(name)
        upgrade_system_tables(self.ground, self.node(name))
        return [*fetched, f"{name} runs {server} and is Synced"]

    def _save(self, settings: Settings) -> None:
        self.paths.settings.write_text(json.dumps(asdict(settings), indent=1))

    def start_site(self, site: str) -> list[str]:
        """Start all dead nodes of a site, the most advanced first if none is up."""
        self.require_network()
        ground = self.ground
        dead = [node for node in ground.members(site) if self.state(node.name) == process.STOPPED]
        done: list[str] = []
        if dead and len(dead) == len(ground.members(site)):
            first = cluster.most_advanced(ground, dead)
            self.start(first.name, bootstrap=True)
            done.append(f"{first.name} started as the first of its cluster")
            dead.remove(first)
        for node in dead:
            self.start(node.name)
            done.append(f"{node.name} started and joined")
        return done

    def lose_site(self, site: str) -> str:
        """Kill a whole site so that some of its last writes stay unreplicated; see `deploy.lab.outage`."""
        self._require_link()
        self.require_network()
        if site not in SITES:
            raise LabError(f"there is no site {site}. Choose from {' and '.join(SITES)}")
        return lose_site(self.ground, site)

    def rebuild(self, site: str, source: str) -> BackupPosition:
        """Replace a site by a copy of the living node `source` of the other one; tells where it was taken."""
        self._require_link()
        self.require_network()
        donor = self.node(source)
        if site not in SITES or donor.site == site:
            raise LabError(f"site {site} is rebuilt from a node of the other site, not from {source}")
        if self.state(source) != process.RUNNING:
            raise LabError(f"{source} is down")
        return rebuild(self.ground, site, donor)

    def rebuild_status(self) -> dict[str, str]:
        """The last rebuild, see `deploy.lab.rebuild.report`."""
        return report(self.paths)

    def cut(self, target: str) -> None:
        """Separate the sites (`a-b`) or one node from all others; clients still reach every node. Needs root."""
        self.require_network()
        if self.settings.wan:
            self.distance.cut(partition.pairs(target, self.nodes))
        else:
            partition.cut(self.paths, self.nodes, target)

    def heal(self) -> bool:
        """Undo every cut; False if there was none."""
        return self.distance.heal() if self.settings.wan else partition.heal(self.paths)

    def restart_counters(self, site: str, times: int = 1) -> None:
        """Move one cluster's transaction counter without a write: its last node leaves and joins again."""
        self.require_network()
        last = self.ground.members(site)[-1].name
        for _ in range(times):
            self.stop(last)
            self.start(last)

    def load_start(self, order: Order | None = None) -> int:
        """Start the write load in the background; returns its pid."""
        if not self.exists:
            raise LabError(f"there is no lab in {self.paths.home}. Start one with `up`")
        self._require_link()
        self.require_network()
        return control.start(self.paths, order or Order())

    def load_stop(self) -> bool:
        """End the load and wait for it; False if none ran."""
        return control.stop(self.paths)

    def load_follow(self, console: Console) -> None:
        """Name the console that tells the load which side is active."""
        route.follow(self.paths, console)

    def load_switches(self) -> Switches:
        """Whether the load writes on both sides, and changes tables."""
        return route.switches(self.paths)

    def load_switch(self, wanted: Switches) -> None:
        """Choose; a running load obeys within a second."""
        route.set_switches(self.paths, wanted)

    def load_status(self) -> dict[str, Any]:
        """`running`, sums and one entry a writer."""
        return control.report(self.paths)

    def forget_writes(self, seconds: float = 60.0) -> None:
        """Empty the application's tables on every node and drop the ledgers. Every node is up, and no load runs."""
        if control.is_running(self.paths):
            raise LabError("the load is running. Stop it first")
        for table in TABLES:
            self.sql(self.nodes[0].name, f"TRUNCATE TABLE {SCHEMA}.{table}")
        for node in self.nodes:
            process.wait_until(partial(self._is_empty, node.name), seconds, f"{node.name} to be empty")
        for file in self.paths.ledgers.iterdir():
            file.unlink()

    def _is_empty(self, name: str) -> bool:
        try:
            return not any(self.sql(name, f"SELECT 1 FROM {SCHEMA}.{table} LIMIT 1") for table in TABLES)
        except MySQLdb.OperationalError as error:
            if error.args[0] != DEADLOCK:
                raise
            return False  # the cluster's TRUNCATE pushes aside who reads the table (seen in 1 of 19)

    def verify(self, *, seconds: float = 60.0, sites: tuple[str, ...] = SITES, skip: tuple[str, ...] = ()) -> Verdict:
        """Judge all writes settled before the call on every live node of `sites`; see `deploy.lab.verify`."""
        self._require_link()
        self.require_network()
        return verify(self.ground, seconds=seconds, sites=sites, skip=skip)

    def admin(self, name: str, seconds: int = 10) -> Any:
        """Context manager: an all-powerful connection by unix socket."""
        return cluster.admin(self.ground, self.node(name), seconds)

    def entry(self, name: str) -> list[str]:
        """What a command begins with so that it runs where the node stands; empty without distance."""
        return namespaces.entry(self.ground.paths.home, self.node(name).name) if self.ground.settings.wan else []

    def sql(self, name: str, statement: str, arguments: tuple[Any, ...] | None = None) -> list[Row]:
        """Rows of one statement as dictionaries."""
        with self.admin(name) as connection:
            return rows(connection, statement, arguments)
