"""What is struck: which part it is just now, and how it is killed, frozen or cut off, and returns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from deploy.lab.server import process
from tests.galera.console import Console
from tests.ha.moves import Mover, owner_of
from tests.ha.parts import network
from tests.ha.parts.part import Part
from tests.ha.stack import HaStack
from tests.support.waiting import wait_for

HARMS = ("kill", "freeze", "cut")


class Struck(Protocol):
    """A part, or a node of the console's database."""

    @property
    def group(self) -> Path: ...
    def kill(self) -> object: ...
    def start(self) -> object: ...
    def freeze(self) -> object: ...
    def thaw(self) -> object: ...


class Node:
    """A node of the console's database as a part; it starts as a member of what is left of its cluster."""

    def __init__(self, stack: HaStack, name: str) -> None:
        assert stack.cluster is not None
        self._lab, self._name = stack.cluster.lab, name

    @property
    def group(self) -> Path:
        """Its control group."""
        pid = process.recorded(self._lab.paths.pid(self._name))
        assert pid is not None
        return network.group_of(pid)

    def kill(self) -> None:
        """SIGKILL."""
        self._lab.kill(self._name)

    def start(self) -> None:
        """Until it is Synced."""
        self._lab.start(self._name)

    def freeze(self) -> None:
        """SIGSTOP."""
        self._lab.freeze(self._name)

    def thaw(self) -> None:
        """SIGCONT."""
        self._lab.thaw(self._name)


def strike(found: list[Struck], harm: str) -> None:
    """Kill, freeze or cut them off together."""
    if harm == "cut":
        network.cut(*(one.group for one in found))
        return
    for one in found:
        one.kill() if harm == "kill" else one.freeze()


def restore(found: list[Struck], harm: str) -> None:
    """Back again."""
    if harm == "cut":
        network.heal()
        return
    for one in found:
        one.start() if harm == "kill" else one.thaw()


def restart(part: Part, env: Mapping[str, str] | None = None) -> None:
    """Killed and started again, from now on with this beside its environment."""
    part.kill()
    part.env = {**part.env, **(env or {})}
    part.start()


def holder(console: Console) -> str:
    """The monitor that writes; empty where none does."""
    parts = console.call("GET", "/readyz").body.get("parts", {})
    monitor = parts.get("monitor", {"ok": False})
    return part_on("monitor", monitor["detail"]) if monitor["ok"] else ""


def part_on(kind: str, process: str) -> str:
    """The part of a kind on the host that a process names: `worker-1` for `host-1:12:…`."""
    return process.partition(":")[0].replace("host", kind)


def busy_worker(mover: Mover) -> str:
    """The worker that has the run under way."""

    def found() -> str:
        run_id = mover.present
        return part_on("worker", owner_of(mover.console, run_id)) if run_id else ""

    return str(wait_for(found, "a run to be claimed", 240, pause_s=0.02))


def parts(stack: HaStack, *names: str) -> list[Struck]:
    """By name."""
    return [stack.parts[name] for name in names]


def written_node(stack: HaStack) -> str:
    """The first node of HAProxy's order; every case begins with all of them up."""
    assert stack.cluster is not None
    return stack.cluster.names[0]


Choice = Callable[[HaStack, Mover], list[Struck]]
TARGETS: dict[str, Choice] = {
    "web": lambda stack, _: parts(stack, "web-1"),
    "worker": lambda stack, mover: parts(stack, busy_worker(mover)),
    "monitor": lambda stack, mover: parts(stack, holder(mover.console)),
    "host": lambda stack, mover: parts(stack, *stack.on_host(int(busy_worker(mover)[-1]))),
    "database": lambda stack, _: [Node(stack, written_node(stack))],
    "spare database": lambda stack, _: [Node(stack, stack.cluster.names[1] if stack.cluster else "")],
    "redis": lambda stack, _: parts(stack, stack.redises.master() if stack.redises else ""),
    "sentinel": lambda stack, _: parts(stack, "sentinel-1"),
    "haproxy": lambda stack, _: parts(stack, "haproxy-1"),
    "nginx": lambda stack, _: parts(stack, "nginx"),
}
