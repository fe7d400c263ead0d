"""Starting the nodes of a lab: first of a cluster, joiner, or survivor of a crash."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.lab import partition
from deploy.lab.errors import LabError
from deploy.lab.layout import Node, Paths, Settings
from deploy.lab.server import process
from deploy.lab.server.accounts import Account
from deploy.lab.server.config import node_options, render
from deploy.lab.server.database import SERVER_ERRORS, admin_session, statuses
from deploy.lab.wan import namespaces
from deploy.servers import store
from deploy.servers.server import Server
from deploy.services.patience import patience

RECOVERED = re.compile(r"Recovered position: ([0-9a-f-]{36}:-?\d+)")
START_LIMIT = 60.0
EXPEL_LIMIT = 60.0
FREE_LIMIT = 60.0
# Group communication, incremental and full state transfer.
GALERA_PORTS = (4567, 4568, 4444)


@dataclass(frozen=True)
class LabContext:
    """What every start needs to know."""

    settings: Settings
    paths: Paths
    nodes: list[Node]
    admin: Account

    def members(self, site: str) -> list[Node]:
        """The nodes of the site's cluster, which are all nodes where one cluster spans both sites."""
        return [node for node in self.nodes if self.settings.one_cluster or node.site == site]

    def server(self, node: Node) -> Server:
        """The release that the node runs."""
        return store.ready(self.settings.server_of(node))

    def command(self, node: Node, *arguments: str) -> list[str]:
        """The node's server program with these arguments, inside its namespace where the lab has distance."""
        inside = namespaces.entry(self.paths.home, node.name) if self.settings.wan else []
        return [*inside, str(self.server(node).daemon), f"--defaults-file={self.paths.config(node.name)}", *arguments]

    def write_configs(self) -> None:
        for node in self.nodes:
            self.write_config(node)

    def write_config(self, node: Node) -> None:
        """The configuration of one node, for the release that it runs."""
        members, server = self.members(node.site), self.server(node)
        options = node_options(self.settings, self.paths, node, members, server_user(), self.admin, server)
        self.paths.tmpdir(node.name).mkdir(mode=0o700, exist_ok=True)
        file = self.paths.config(node.name)
        file.touch(mode=0o600)
        file.write_text(render(node, options, server.family))


def server_user() -> str:
    """The account that runs the servers: the user of the lab's process."""
    return pwd.getpwuid(os.getuid()).pw_name


def state(ground: LabContext, node: Node) -> str:
    """`running`, `frozen` or `stopped`."""
    return process.state(ground.paths.pid(node.name))


def is_synced(ground: LabContext, node: Node) -> bool:
    """True once the node answers and is a Synced member of a Primary component; LabError if it ended meanwhile."""
    if state(ground, node) == process.STOPPED:
        raise LabError(f"{node.name} ended while starting; see {ground.paths.log(node.name)}")
    try:
        with admin_session(ground.paths.socket(node.name), ground.admin, seconds=3) as connection:
            return synced_status(statuses(connection))
    except SERVER_ERRORS:
        return False  # not answering yet; the caller's time limit decides


def synced_status(status: dict[str, str]) -> bool:
    """Whether wsrep status says: Primary, ready and Synced."""
    wanted = {"wsrep_cluster_status": "Primary", "wsrep_ready": "ON", "wsrep_local_state": "4"}
    return all(status.get(key) == value for key, value in wanted.items())


def require_free_addresses(nodes: list[Node]) -> None:
    """LabError if another process (a second lab, say) listens where these dead nodes would.

    Not for a lab with distance, in whose namespaces nothing else listens.
    """
    taken = taken_addresses(nodes)
    if taken:
        raise LabError(f"{', '.join(taken)} in use by another process; choose another HAWSER_LAB_NET or end it")


def taken_addresses(nodes: list[Node]) -> list[str]:
    """What something listens on of the addresses of these dead nodes."""
    taken: list[str] = []
    for node in nodes:
        for port in (node.port, *GALERA_PORTS):
            with socket.socket() as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    probe.bind((node.host, port))
                except OSError:
                    taken.append(f"{node.host}:{port}")
    return taken


def launch(ground: LabContext, node: Node, *arguments: str) -> None:
    """Start the server process; does not wait for it.

    A node that was killed may leave a process that still listens for it: one that took a state transfer.
    """
    if not ground.settings.wan:
        process.wait_until(lambda: not taken_addresses([node]), FREE_LIMIT, f"the ports of {node.name} to be free")
    ground.paths.socket(node.name).unlink(missing_ok=True)
    command, log = ground.command(node, *arguments), ground.paths.log(node.name)
    pid = process.spawn(command, ground.paths.pid(node.name), log, environment=ground.server(node).environment())
    partition.enrol(ground.paths, node.name, pid)


def wait_synced(ground: LabContext, nodes: list[Node], seconds: float = START_LIMIT) -> None:
    """Until all of them are Synced."""
    for node in nodes:
        process.wait_until(lambda node=node: is_synced(ground, node), seconds, f"{node.name} to be Synced")  # type: ignore[misc]


def grastate(datadir: Path) -> dict[str, str]:
    """The node's saved Galera state: uuid, seqno, safe_to_bootstrap; empty if it has none."""
    file = datadir / "grastate.dat"
    if not file.exists():
        return {}
    lines = (line.split(":", 1) for line in file.read_text().splitlines() if ":" in line)
    return {key.strip(): value.strip() for key, value in lines}


def _forget_saved_seqno(datadir: Path) -> None:
    """Leave a node as after a crash, so that it resumes where its storage engine stands."""
    file = datadir / "grastate.dat"
    if file.exists():
        file.write_text(re.sub(r"(?m)^seqno:.*$", "seqno:   -1", file.read_text()))


def recovered_position(ground: LabContext, node: Node) -> str:
    """`uuid:seqno` up to which the dead node's storage engine holds transactions.

    After a crash grastate.dat says seqno -1; without this a rejoining node would always be copied completely.
    """
    if ground.server(node).resumes_only_from_storage:
        _forget_saved_seqno(ground.paths.datadir(node.name))
    saved = grastate(ground.paths.datadir(node.name))
    if saved.get("seqno", "-1") != "-1":
        return f"{saved['uuid']}:{saved['seqno']}"
    report = ground.paths.home / "run" / f"{node.name}.recover"
    report.unlink(missing_ok=True)
    command = ground.command(node, "--wsrep-recover", "--skip-slave-start", f"--log-error={report}")
    subprocess.run(command, check=False, capture_output=True, timeout=START_LIMIT * patience())
    found = RECOVERED.search(report.read_text()) if report.exists() else None
    if found is None:
        raise LabError(f"no position could be recovered from {node.name}; see {report}")
    return found.group(1)


def is_counted_by(ground: LabContext, mate: Node, node: Node) -> bool:
    """Whether a member still has the other node in its view; False if the member does not answer."""
    if state(ground, mate) != process.RUNNING:
        return False
    try:
        with admin_session(ground.paths.socket(mate.name), ground.admin, seconds=3) as connection:
            members = statuses(connection, "wsrep_incoming_addresses").get("wsrep_incoming_addresses", "")
    except SERVER_ERRORS:
        return False
    return f"{node.host}:{node.port}" in members.split(",")


def wait_expelled(ground: LabContext, node: Node) -> None:
    """Until no member counts a dead node any more; LabError after a minute.

    A node that returned within evs.suspect_timeout of its end met a group that still counted it: both survivors
    expelled each other and their cluster was non-Primary until bootstrapped (docs/evidence/measured-facts.md).
    """
    mates = [mate for mate in ground.members(node.site) if mate != node]
    process.wait_until(
        lambda: not any(is_counted_by(ground, mate, node) for mate in mates),
        EXPEL_LIMIT,
        f"its cluster to expel {node.name}",
    )


def rejoin(ground: LabContext, node: Node) -> None:
    """Start a dead node as a member of its living cluster, once that has let its old self go."""
    position = recovered_position(ground, node)
    wait_expelled(ground, node)
    launch(ground, node, f"--wsrep-start-position={position}")


def bootstrap(ground: LabContext, node: Node) -> None:
    """Start a dead node as the first of its cluster, with what it holds."""
    position = recovered_position(ground, node)
    file = ground.paths.datadir(node.name) / "grastate.dat"
    file.write_text(file.read_text().replace("safe_to_bootstrap: 0", "safe_to_bootstrap: 1"))
    launch(ground, node, "--wsrep-new-cluster", f"--wsrep-start-position={position}")


def most_advanced(ground: LabContext, nodes: list[Node]) -> Node:
    """The dead node with the highest recovered seqno."""
    return max(nodes, key=lambda node: int(recovered_position(ground, node).rpartition(":")[2]))


def copy_data(source: Path, target: Path) -> None:
    """A full copy of a stopped server's data folder."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)


def strip_identity(datadir: Path) -> None:
    """Leave in a copied data folder only what a joiner may have: no binlogs, channel or cache of the first node."""
    for pattern in (
        "auto.cnf",
        "binlog.*",
        "relay*",
        "master*.info",
        "multi-master.info",
        "galera.cache",
        "gvwstate.dat",
    ):
        for file in datadir.glob(pattern):
            file.unlink()


def admin(ground: LabContext, node: Node, seconds: int = 10) -> Any:
    """Context manager: admin session on a node by its unix socket."""
    return admin_session(ground.paths.socket(node.name), ground.admin, seconds=seconds)
