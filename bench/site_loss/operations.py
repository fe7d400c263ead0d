"""Plans and runs of the measurement, by REST, alone or many at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.console import wait_for
from bench.site_loss.console import MassConsole

Json = dict[str, Any]
Options = list[tuple[str, Json]]
"""Of the plan of each link."""
AT_ONCE = 39
"""Calls: as many slow ones as a web process takes."""
_ENDED = ("succeeded", "failed", "aborted", "needs_operator")


def wanted_options() -> Options:
    """What an operator who lost the site gives with each plan."""
    from backend.clusters.models import Link, Node

    found = []
    for link in Link.objects.all():
        lost = list(Node.objects.filter(cluster=link.active_cluster_id).values_list("pk", flat=True))
        found.append((link.pk, {"attest_fenced": lost, "accept_loss": True, "fence_on_return": False}))
    return found


def make_plan(console: MassConsole, link: str, kind: str, options: Json) -> Json:
    plan: Json = console.ask("POST", f"/links/{link}/plans", {"kind": kind, "reason": "benchmark", "options": options})
    return plan


def make_plans(console: MassConsole, wanted: Options) -> list[tuple[float, Json]]:
    """All failovers asked for at the same time, each with the time since then."""
    began = time.monotonic()

    def planned(one: tuple[str, Json]) -> tuple[float, Json]:
        plan = make_plan(console, one[0], "failover", one[1])
        return time.monotonic() - began, plan

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(planned, wanted))


def refusal(plan: Json) -> list[str]:
    return [found["message"] for found in plan["findings"] if found["severity"] in ("blocker", "unknown")]


def _start(console: MassConsole, plan: Json) -> str:
    body = {"digest": plan["digest"], "confirm": plan["link_name"], "reason": "benchmark"}
    return str(console.ask("POST", f"/plans/{plan['id']}/runs", body)["id"])


def run_plan(console: MassConsole, plan: Json) -> Json:
    """Confirm a plan and wait for the end of its run."""
    return _ended(console, _start(console, plan))


def _ended(console: MassConsole, run_id: str) -> Json:
    run: Json = {}

    def has_ended() -> bool:
        run.update(console.ask("GET", f"/runs/{run_id}"))
        return run["state"] in _ENDED

    wait_for(has_ended, 120, f"run {run_id} to end")
    return run


def run_all(console: MassConsole, plans: list[Json]) -> Json:
    """All confirmed at the same time; how long until each was confirmed, and until all are verified."""
    from backend.operations.runs.models import Run

    began = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        ids = list(pool.map(lambda plan: _start(console, plan), plans))
    confirmed_s = time.monotonic() - began
    wait_for(lambda: not Run.objects.filter(pk__in=ids).exclude(state__in=_ENDED).exists(), 180, "all runs to end")
    all_s = time.monotonic() - began
    runs = [_ended(console, run_id) for run_id in ids]
    return {
        "confirmed_s": round(confirmed_s, 2),
        "runs_s": round(all_s, 2),
        "verdicts": [(run["verification"] or {}).get("verdict", run["outcome"]) for run in runs],
        "durations": [run["durations"] for run in runs],
    }
