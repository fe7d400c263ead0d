"""Relocate, switchover, failback, failover and reprotect between sites that lie apart: `python -m bench distance`.

The console stands at site a. Each row keeps what the router counted meanwhile and whether it was disturbed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from bench.console import Console, wait_for
from bench.machine import describe
from bench.relocates import Relocate, as_it_stands, both_lost, heal, planned, run_one, sentence, source_lost
from bench.workspace import Workspace
from deploy.lab.load.control import Order
from deploy.lab.wan.presentation import site_of

DISTANCES = ((0.0, 0.0), (50.0, 0.0), (150.0, 0.0), (50.0, 1.0), (150.0, 1.0))
"""Round trip in ms, and loss of each direction in percent."""
LONGEST_DISTANCE_S = 600.0
LIMIT_S = 2400.0
SETTLED_AFTER_S = 3.0
"""A look of the monitor that began before the last write says that nothing is missing: with loss, one write was."""
LOAD = Order(writers=2, rate=12.0, ddl_every=0, seconds=LIMIT_S)


@dataclass(frozen=True)
class Row:
    """One run over one distance, with the bytes between the sites and from and to the console."""

    rtt_ms: float
    loss_percent: float
    run: Relocate
    site_bytes: int
    console_bytes: int
    lost: int
    lateness_p99_ms: float
    disturbed: list[str]

    def values(self) -> list[str]:
        """For a table."""
        pause = "none" if self.run.write_pause_ms is None else f"{self.run.write_pause_ms / 1000:.2f} s"
        return [
            f"{self.rtt_ms:g} ms", f"{self.loss_percent:g} %", self.run.title, f"{self.run.verified_s:.2f} s",
            f"{self.run.plan_s:.2f} s", pause, self.run.verdict, f"{self.site_bytes / 1000:,.0f} kB",
            f"{self.console_bytes / 1000:,.0f} kB", str(self.lost), f"{self.lateness_p99_ms:g} ms",
            "yes" if self.disturbed else "no",
        ]  # fmt: skip


HEAD = (
    "round trip", "loss", "run", "confirm to verified", "making the plan", "writes paused", "verdict", "between sites",
    "console and far site", "packets lost", "router late, p99", "disturbed",
)  # fmt: skip


def main(workspace: Workspace) -> int:
    """Exit code 0 when every run was verified and no write was lost or doubled."""
    rows: list[Row] = []
    with Console(workspace, wan="0ms", life_s=LIMIT_S + LONGEST_DISTANCE_S) as console:
        console.lab.load_start(LOAD)
        heal(console)
        for rtt_ms, loss_percent in DISTANCES:
            if workspace.left_s() < LONGEST_DISTANCE_S:
                print(f"time is up before {rtt_ms:g} ms with {loss_percent:g} % loss", flush=True)
                break
            for row in _over(console, rtt_ms, loss_percent):
                rows.append(row)
                print(f"  {' | '.join(row.values())}", flush=True)
        verdict = console.lab.verify(seconds=60)
    found = {"machine": describe(), "rows": [asdict(row) for row in rows], "judged": sentence(verdict)}
    (workspace.folder / "distance.json").write_text(json.dumps(found, indent=1) + "\n")
    print("\n".join([_line(HEAD), _line(["---"] * len(HEAD)), *(_line(row.values()) for row in rows)]))
    print(sentence(verdict))
    return 0 if verdict.clean and all(row.run.verdict == "verified" for row in rows) else 1


def _line(values: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(values)} |"


def _over(console: Console, rtt_ms: float, loss_percent: float) -> Iterator[Row]:
    """All runs over one distance, home again at the end."""
    console.lab.distance.set_round_trip(rtt_ms, loss_percent)
    measured = partial(_measured, console, rtt_ms, loss_percent)
    yield measured("planned move of both nodes", "relocate", planned)
    yield measured("switchover", "switchover", as_it_stands)
    yield measured("failback", "failback", as_it_stands)
    yield measured("source lost", "relocate", source_lost)
    yield measured("both nodes lost", "relocate", both_lost)
    yield measured("failover, site a killed", "failover", _site_lost)
    _restart_lost_site(console)
    yield measured("reprotect", "reprotect", as_it_stands)
    console.lab.load_start(LOAD)
    yield measured("failback after it", "failback", as_it_stands)


def _measured(
    console: Console,
    rtt_ms: float,
    loss_percent: float,
    title: str,
    kind: str,
    prepare: Callable[[Console], dict[str, Any]],
) -> Row:
    def and_count(of: Console) -> dict[str, Any]:
        options = prepare(of)
        of.lab.distance.reset()
        return options

    run = _tried(console, title, kind, and_count)
    report = console.lab.distance.report()
    if kind != "failover":
        heal(console)
    across = [pair for pair in report["pairs"] if {site_of(pair["from"]), site_of(pair["to"])} == {"a", "b"}]
    asked = [pair for pair in report["pairs"] if {site_of(pair["from"]), site_of(pair["to"])} == {"console", "b"}]
    return Row(
        rtt_ms, loss_percent, run, sum(pair["bytes"] for pair in across), sum(pair["bytes"] for pair in asked),
        sum(pair["lost"] for pair in (*across, *asked)), report["lateness"]["p99_ms"], report["disturbed"],
    )  # fmt: skip


def _tried(console: Console, title: str, kind: str, prepare: Callable[[Console], dict[str, Any]]) -> Relocate:
    """A run that fails over this distance is a result; it is tried once more, so that the others can follow."""
    try:
        return run_one(console, title, kind, prepare)
    except RuntimeError as error:
        if kind in ("failover", "reprotect"):
            raise
        print(f"  {title}: {error}", flush=True)
    heal(console)
    return replace(run_one(console, title, kind, prepare), verdict="at the second try")


def _site_lost(console: Console) -> dict[str, Any]:
    """No writes and nothing under way, then every node of site a ends."""
    console.lab.load_stop()
    settled = datetime.now(UTC) + timedelta(seconds=SETTLED_AFTER_S)
    wait_for(lambda: _is_level(console.link(), settled), 60, "the standby to be level")
    ids = console.node_ids()
    names = [node.name for node in console.lab.nodes if node.site == "a"]
    for name in names:
        console.lab.kill(name)
    wait_for(lambda: bool(console.link()["state"] == "broken"), 20, "the loss to be seen")
    return {"attest_fenced": [ids[name] for name in names], "fence_on_return": False}


def _is_level(link: dict[str, Any], after: datetime) -> bool:
    """Whether nothing is missing at the standby, by what the monitor saw after that moment."""
    is_newer = datetime.fromisoformat(link["observed_at"]) > after
    return is_newer and link["channels"][0]["gap_transactions"] == 0


def _restart_lost_site(console: Console) -> None:
    console.lab.start_site("a")
    ids = console.node_ids()
    wait_for(lambda: all(console.node(i)["reach"] == "up" for i in ids.values()), 60, "all nodes to be seen")
    wait_for(lambda: (console.link()["primary_action"] or {}).get("kind") == "reprotect", 30, "reprotect to be offered")
