"""The words scenarios are written in: kill, relocate, judge, heal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from deploy.lab import channels
from deploy.lab.layout import SITES
from deploy.lab.load.control import Order, acknowledged
from deploy.lab.server.database import Row
from tests.galera.console import Console, Json, describe, refusals
from tests.galera.stack import Stack
from tests.support.waiting import wait_for

_LOG_LINE = re.compile(r"\s(\d+) (Connect|Query)\t(.*)$")
_CHANGING = re.compile(r"(STOP|START|CHANGE|RESET|REPLACE|SET GLOBAL)\b")


@dataclass
class Scene:
    """One scenario on the running stack."""

    stack: Stack
    load: Order

    @property
    def console(self) -> Console:
        """The API."""
        return self.stack.console

    @property
    def stored_passwords(self) -> dict[str, str]:
        """Those of the console's accounts by role, which a change brings again where it leads elsewhere."""
        return {role: self.stack.lab.accounts[role].password for role in ("monitor", "operator", "replication")}

    def nodes(self) -> list[str]:
        """Names of all nodes."""
        return [node.name for node in self.stack.lab.nodes]

    def pair(self) -> tuple[str, str]:
        """Names of the nodes the forward channel joins, source first, as the console sees it.

        Right after a move the nodes were polled at different moments: the old holder without the channel already,
        the new one without it still.
        """
        forward = wait_for(self._forward_channel, "the monitor to see the forward channel")
        return forward["source_name"], forward["replica_name"]

    def _forward_channel(self) -> Json | None:
        channels = self.console.link()["channels"]
        return next((one for one in channels if one["direction"] == "forward" and not one["stray"]), None)

    def pair_now(self) -> tuple[str, str]:
        """The same, once the monitor has looked again: "protected" may still be said of before a move."""
        self.look_again()
        self.wait_link(lambda link: link["state"] == "protected", "the monitor to see the move")
        return self.pair()

    def look_again(self, *names: str) -> Json:
        """The link once the monitor has read these nodes, or all that run, from now on.

        A poll that ends now may have asked before; the one behind it has not.
        """
        names = names or tuple(filter(self.is_up, self.nodes()))
        ids = [self.console.node_id(name) for name in names]
        moments = dict.fromkeys(ids, datetime.now(UTC).isoformat())
        for _ in range(2):
            moments = wait_for(
                lambda since=moments: self._read_since(since),
                f"the monitor to look at {', '.join(names)} again",
                60 * self.stack.patience,
            )
        return self.console.link()

    def _read_since(self, moments: dict[str, str]) -> dict[str, str] | None:
        """When the nodes were last read, if each was since its moment."""
        read = {node: self.console.get(f"/nodes/{node}")["observed_at"] for node in moments}
        is_newer = [
            at and datetime.fromisoformat(at) > datetime.fromisoformat(moments[node]) for node, at in read.items()
        ]
        return read if all(is_newer) else None

    def other(self, name: str, *, than: tuple[str, ...] = ()) -> str:
        """Another running node of the same site."""
        site = name[:4]
        return next(n for n in self.nodes() if n.startswith(site) and n != name and n not in than and self.is_up(n))

    def is_up(self, name: str) -> bool:
        """Whether the node's process runs."""
        return self.stack.lab.state(name) == "running"

    def kill(self, *names: str) -> None:
        """kill -9, and wait until the monitor saw it."""
        for name in names:
            self.stack.lab.kill(name)
        for name in names:
            wait_for(lambda name=name: self.reach(name) != "up", f"the monitor to miss {name}")

    def reach(self, name: str) -> str:
        """How the monitor last reached a node."""
        return str(self.console.get(f"/nodes/{self.console.node_id(name)}")["reach"])

    def sql(self, node: str, statement: str) -> Any:
        """As administrator, past the console."""
        return self.stack.lab.sql(node, statement)

    def stop_channel(self, node: str, thread: str = "") -> None:
        """Stop a node's channel, or one thread of it, in the words of its server."""
        with self.stack.lab.admin(node) as connection:
            channels.stop(connection, thread)

    def start_channel(self, node: str, thread: str = "") -> None:
        """Start it."""
        with self.stack.lab.admin(node) as connection:
            channels.start(connection, thread)

    def channels_of(self, node: str) -> list[Row]:
        """The node's channels, with MariaDB's names of the columns on every server."""
        with self.stack.lab.admin(node) as connection:
            return channels.states(connection)

    def log_end(self, node: str) -> channels.Coordinate:
        """Where the node's binary log ends."""
        with self.stack.lab.admin(node) as connection:
            return channels.coordinate(connection)

    def wait_received(self, source: str, replica: str) -> None:
        """What the source's log has by now is in the replica's relay log."""
        end = self.log_end(source)

        def place() -> tuple[str, int]:
            channel = self.channels_of(replica)[0]
            return str(channel["Master_Log_File"]), int(channel["Read_Master_Log_Pos"])

        wait_for(lambda: place() >= (end.file, end.position), f"{replica} to receive {end}", 60 * self.stack.patience)

    def wait_link(self, ask: Callable[[Json], Any], what: str, limit_s: float = 60.0) -> Json:
        """Wait for a link's state; what it was instead is said."""
        link: Json = {}

        def holds() -> Any:
            link.update(self.console.link())
            return ask(link)

        wait_for(
            holds,
            what,
            limit_s * self.stack.patience,
            seen=lambda _: f"{link['state']}: {link['sentence']} {link['detail']}",
        )
        return link

    def not_on_both_sides(self) -> list[tuple[str, Json]]:
        """The transactions that the account names, with their direction."""
        listed = self.console.get(f"/links/{self.console.link()['id']}/unaccounted")
        return [(way, one) for way in ("forward", "reverse") for one in listed[way]["transactions"]]

    def settle_transactions(self) -> None:
        """Settle all that are named now: their rows were brought in, or do not matter."""
        path = f"/links/{self.console.link()['id']}/unaccounted/settle"
        for way, one in self.not_on_both_sides():
            body = {"direction": way, "gtids": [one["gtid"]], "reason": "the rows were compared"}
            answer = self.console.call("POST", path, body)
            assert answer.status == 200, answer

    def settle_settings(self) -> None:
        """Settle every unsafe setting of the link, once it was seen to be right again."""
        path = f"/links/{self.console.link()['id']}/unaccounted"

        def unsafe() -> list[Json]:
            return list(self.console.get(path)["unsafe_settings"])

        wait_for(
            lambda: all(one["until"] for one in unsafe()), "every setting to be right again", seen=lambda _: unsafe()
        )
        settings = [{"node_id": one["node_id"], "variable": one["variable"]} for one in unsafe()]
        if settings:
            body = {"settings": settings, "reason": "the tables were compared"}
            answer = self.console.call("POST", f"{path}/settle-settings", body)
            assert answer.status == 200, answer

    def judge(self) -> None:
        """Every acknowledged write exactly once on every living node, told by the lab's own record."""
        dead = tuple(name for name in self.nodes() if not self.is_up(name))
        verdict = self.stack.lab.verify(seconds=60 * self.stack.patience, skip=dead)
        for write_id in self.stack.stated_losses:
            verdict.faults["lost"].pop(write_id, None)
        assert verdict.clean, verdict

    def heal(self) -> None:
        """All nodes Synced, no stray channel, link protected, load running."""
        for name in self.nodes():
            if self.stack.lab.state(name) == "frozen":
                self.thaw(name)
        for site in ("a", "b"):
            self.stack.lab.start_site(site)
        wait_for(lambda: all(self.reach(n) == "up" for n in self.nodes()), "all nodes to be seen")
        self.look_again()
        self.wait_link(lambda _: self._is_protected(), "the link to be protected", 90)
        wait_for(self._are_channels_connected, "the channels' I/O threads to be connected", pause_s=0.5)
        if not self.stack.lab.load_status()["running"]:
            self.write_on()
            self.look_again()  # it samples what it can prove later

    def thaw(self, name: str) -> None:
        """Let a frozen node go on, until its cluster agrees on who belongs to it.

        A node that was expelled meanwhile believes for a moment to be Synced, in the view of before.
        """
        self.stack.lab.thaw(name)
        members = [one for one in self.nodes() if one.startswith(name[:4]) and self.is_up(one)]
        wait_for(lambda: self._are_of_one_view(members), f"the cluster to take {name} back", 120)

    def _are_of_one_view(self, members: list[str]) -> bool:
        """Whether all are Synced in the same view of their cluster."""
        said: set[tuple[str, ...]] = set()
        for name in members:
            status = {row["Variable_name"]: row["Value"] for row in self.sql(name, "SHOW GLOBAL STATUS LIKE 'wsrep%'")}
            words = ("wsrep_cluster_status", "wsrep_local_state_comment", "wsrep_cluster_conf_id")
            said.add(tuple(status[word] for word in words))
        return len(said) == 1 and said.pop()[:2] == ("Primary", "Synced")

    def _is_protected(self) -> bool:
        """Whether all is well; a stray channel that shows meanwhile is cleaned."""
        self.clean_strays()
        self.start_stopped_channels()
        return bool(self.console.link()["state"] == "protected")

    def _are_channels_connected(self) -> bool:
        """An I/O thread that was thrown out by a returned holder of its server id connects again, without an error."""
        return all(channel["Slave_IO_Running"] == "Yes" for name in self.nodes() for channel in self.channels_of(name))

    def clean_strays(self) -> None:
        """What an operator is offered when an old holder returned."""
        link = self.console.link()
        if (link["primary_action"] or {}).get("kind") == "remove_stray_channel":
            if {"node_not_ready", "nothing_to_clean"} & set(refusals(self.console.plan("remove_stray_channel"))):
                return  # a node is not up yet, or the channel was removed since the link was read
            run = self.console.run_planned("remove_stray_channel")
            assert run["state"] == "succeeded", describe(run)
            self.wait_link(lambda now: not any(c["stray"] for c in now["channels"]), "the stray channel to be gone")

    def start_stopped_channels(self) -> None:
        """On 10.5 a view change (1047) or another node's DDL statement (no error) ends the SQL thread of a channel.

        An operator is offered to start the channel, and does. Later releases go on without that, and must.
        """
        if self.stack.servers != "mariadb-10.5":
            return
        if (self.console.link()["primary_action"] or {}).get("kind") == "start_channel":
            run = self.console.run_planned("start_channel")
            assert run["state"] == "succeeded", describe(run)

    def stop_writes(self) -> None:
        """No writes: the load ends and both channels drain."""
        self.stack.lab.load_stop()
        self.wait_drained()

    def wait_drained(self) -> None:
        """All that is written has arrived, as far as a channel runs. Minutes of backlog take minutes."""
        self.look_again()
        self.wait_link(lambda link: all(map(is_drained, link["channels"])), "the channels to drain", 600)

    def write_on(self, load: Order | None = None) -> None:
        """Start the load, and wait until it writes."""
        self.stack.lab.load_start(load or self.load)
        self.wait_writes()

    def wait_writes(self, count: int = 20, *, site: str = "") -> None:
        """So many more writes of the running load are acknowledged, by one site or by any."""
        before = self._acknowledged(site)
        wait_for(lambda: self._acknowledged(site) >= before + count, f"{count} writes", 60 * self.stack.patience)

    def _acknowledged(self, site: str) -> int:
        return sum(acknowledged(self.stack.lab.paths, one) for one in (site or SITES))

    # -- what the servers themselves saw

    def watch_statements(self) -> None:
        """From now on every server logs what it is sent (to a file: a log table would be replicated)."""
        for name in self.nodes():
            if self.is_up(name):
                log = self._log(name)
                self.sql(name, "SET GLOBAL general_log=OFF")
                log.unlink(missing_ok=True)
                self.sql(name, "SET GLOBAL log_output='FILE'")
                self.sql(name, f"SET GLOBAL general_log_file='{log}'")
                self.sql(name, "SET GLOBAL general_log=ON")

    def seen_statements(self) -> list[tuple[str, str]]:
        """Changing statements the console's operator account sent since, as (node, first words)."""
        found = []
        for name in self.nodes():
            if self._log(name).exists():
                found += [(name, text) for text in changing_statements(self.statement_log(name))]
        return found

    def statement_log(self, name: str) -> str:
        """All that a node was sent since."""
        return self._log(name).read_text("utf-8", "replace")

    def _log(self, name: str) -> Path:
        return self.stack.lab.paths.home / f"general-{name}.log"


def is_drained(channel: Json) -> bool:
    """Whether its replica has all of its source, unless it stands still."""
    runs = channel["io_running"] == channel["sql_running"] == "Yes"
    return not runs or channel["stray"] or channel["gap_transactions"] == 0


def changing_statements(log: str, user: str = "hawser_operator") -> list[str]:
    """First three words of every changing statement of that account in a general log."""
    sessions: set[str] = set()
    found = []
    for line in log.splitlines():
        match = _LOG_LINE.search(line)
        if match is None:
            continue
        session, verb, text = match.groups()
        if verb == "Connect":
            (sessions.add if text.startswith(f"{user}@") else sessions.discard)(session)
        elif verb == "Query" and session in sessions and _CHANGING.match(text):
            found.append(" ".join(text.split()[:3]))
    return found


def restart_with(scene: Scene, name: str, *options: str) -> str:
    """Restart a node with more lines in its configuration; returns what it was."""
    file = scene.stack.lab.paths.config(name)
    was = file.read_text()
    file.write_text(was + "\n".join(options) + "\n")
    scene.stack.lab.stop(name)
    scene.stack.lab.start(name)
    return was


@contextmanager
def granted(scene: Scene, node: str, privilege: str) -> Iterator[None]:
    """The lab's operator account has a privilege more."""
    account = f"'{scene.stack.lab.accounts['operator'].user}'@'%'"
    scene.sql(node, f"GRANT {privilege} ON *.* TO {account}")
    try:
        yield
    finally:
        scene.sql(node, f"REVOKE {privilege} ON *.* FROM {account}")
