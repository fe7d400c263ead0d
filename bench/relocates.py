"""Times from *confirm* to *verified*, as the runs themselves record them, with writes at both sites."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.busy_loops import busy_loops
from bench.console import Console, wait_for
from bench.workspace import Workspace
from deploy.lab.load.control import Order
from deploy.lab.verify.judge import Verdict

LOAD = Order(writers=2, rate=20.0, ddl_every=30.0, seconds=900)
LONGEST_ROUND_S = 60.0
MOVE = "planned move of both nodes"
BUSY_MOVE = "the same beside busy loops"
LOOPS = 2 * (os.cpu_count() or 1)
Kind = tuple[str, str, Callable[[Console], dict[str, str]]]
"""Title, kind of plan, and what is done before; its result are the plan's options."""
_NAMES = ("queued_s", "confirm_to_verified_s", "total_s")


@dataclass(frozen=True)
class Relocate:
    """One run: its title, the time to make the plan, to be verified, and by step code, in s.

    `write_pause_ms` only where the active side changed: from the first fence to the last opened node.
    """

    title: str
    plan_s: float
    verified_s: float
    queued_s: float
    verdict: str
    write_pause_ms: int | None = None
    steps: dict[str, float] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)

    @property
    def console_s(self) -> float:
        """The time that was not spent waiting for the servers, which share this machine only in the lab."""
        return self.spent["total_s"] - self.spent["servers_s"]

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def measure(
    workspace: Workspace, rounds: int, kinds: Sequence[Kind] | None = None, busy_rounds: int | None = None
) -> tuple[list[Relocate], str]:
    """All runs, and the lab's judgement of the writes; fewer rounds where time runs out.

    `kinds`: only these; `busy_rounds`: as many beside busy loops, else as many as without.
    """
    kinds = KINDS if kinds is None else kinds
    found: list[Relocate] = []
    with Console(workspace) as console:
        console.lab.load_start(LOAD)
        heal(console)
        for number in range(rounds * len(kinds)):
            if found and workspace.left_s() < LONGEST_ROUND_S:
                print(f"  time is up after {number} runs", flush=True)
                break
            found.append(run_one(console, *kinds[number % len(kinds)]))
            print(f"  {found[-1].title}: {found[-1].verified_s:.2f} s", flush=True)
            heal(console)
        found += _beside_busy_loops(console, workspace, rounds if busy_rounds is None else busy_rounds)
        verdict = console.lab.verify(seconds=60)
        console.lab.load_stop()
    return found, sentence(verdict)


def _beside_busy_loops(console: Console, workspace: Workspace, rounds: int) -> Iterator[Relocate]:
    """Planned moves while other sessions take all processors; none where time runs out."""
    for _ in range(rounds):
        if workspace.left_s() < LONGEST_ROUND_S:
            return
        with busy_loops(LOOPS):
            yield run_one(console, BUSY_MOVE, "relocate", planned)
        heal(console)


def sentence(verdict: Verdict) -> str:
    """What the lab's own record says of the writes."""
    if verdict.clean:
        return (
            f"Of {verdict.acknowledged:,} acknowledged writes none was lost or applied twice; all six nodes were equal."
        )
    faults = {kind: len(writes) for kind, writes in verdict.faults.items() if writes}
    return f"**The writes were not whole afterwards**: {faults or verdict.unsettled or 'nodes differ'}."


def run_one(console: Console, title: str, kind: str, prepare: Callable[[Console], dict[str, Any]]) -> Relocate:
    """Plan and run; `prepare` makes the plan's options, and the fault before it."""
    options = prepare(console)
    started = time.monotonic()
    plan = console.plan(kind, **options)
    planned = time.monotonic() - started
    run = console.run(plan)
    durations = run["durations"]
    return Relocate(
        title,
        planned,
        durations["confirm_to_verified_s"],
        durations["queued_s"],
        run["verification"]["verdict"],
        run["verification"].get("write_pause_ms"),
        {name: took for name, took in durations.items() if name not in _NAMES and took is not None},
        {name: spent for name, spent in run["time_spent"].items() if name != "steps"},
    )


def _pair(console: Console) -> tuple[str, str]:
    """Names of source and replica of the forward channel."""
    channel = next(c for c in console.link()["channels"] if c["direction"] == "forward" and not c["stray"])
    return channel["source_name"], channel["replica_name"]


def planned(console: Console) -> dict[str, str]:
    """Both nodes of the channels change."""
    source, replica = _pair(console)
    ids = console.node_ids()
    return {"source_node": ids[_other(console, source)], "replica_node": ids[_other(console, replica)]}


def source_lost(console: Console) -> dict[str, str]:
    """The source of the forward channel is killed."""
    _kill(console, _pair(console)[0])
    return {}


def both_lost(console: Console) -> dict[str, str]:
    """Both nodes of the channels are killed."""
    for name in _pair(console):
        _kill(console, name)
    return {}


def _replica_lost(console: Console) -> dict[str, str]:
    _kill(console, _pair(console)[1])
    return {}


def as_it_stands(_: Console) -> dict[str, str]:
    """Nothing to choose."""
    return {}


KINDS: tuple[Kind, ...] = (
    (MOVE, "relocate", planned),
    ("source lost", "relocate", source_lost),
    ("replica lost", "relocate", _replica_lost),
    ("switchover", "switchover", as_it_stands),
    ("failback", "failback", as_it_stands),
)


def _other(console: Console, name: str) -> str:
    """Another node of the same site."""
    site = console.lab.node(name).site
    return next(node.name for node in console.lab.nodes if node.site == site and node.name != name)


def _kill(console: Console, name: str) -> None:
    """SIGKILL, and wait until the monitor misses the node and its cluster has expelled it."""
    node_id = console.node_ids()[name]
    console.lab.kill(name)
    wait_for(lambda: console.node(node_id)["reach"] != "up", 20, f"the monitor to miss {name}")
    time.sleep(4)  # the members' suspect timeout and a little: an operator is not faster either


def heal(console: Console) -> None:
    """All nodes back, left-over channels cleaned, the link protected."""
    for site in ("a", "b"):
        console.lab.start_site(site)
    ids = console.node_ids()
    wait_for(lambda: all(console.node(i)["reach"] == "up" for i in ids.values()), 60, "all nodes to be seen")
    time.sleep(1.5)
    if any(channel["stray"] for channel in console.link()["channels"]):
        console.run(console.plan("remove_stray_channel"))
    wait_for(lambda: bool(console.link()["state"] == "protected"), 60, "the link to be protected")
