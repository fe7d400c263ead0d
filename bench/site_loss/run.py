"""Forty links lose one site at once, beside rehearsals and by REST: `python -m bench site-loss`.

The nodes of 39 links are stand-ins, which stop answering; those of one are a real pair, of which a site is killed.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

from bench import machine
from bench.console import wait_for
from bench.fleet.console import host_of
from bench.site_loss.aims import aims
from bench.site_loss.console import NET, SITE, MassConsole, mass_console
from bench.site_loss.incident import planned_by_incident
from bench.site_loss.operations import make_plans, refusal, run_all, wanted_options
from bench.site_loss.rehearsals import beside_rehearsals
from bench.workspace import Workspace, default_workspace, empty_folder
from deploy.lab.api import Lab
from deploy.lab.load import ledger

LINKS = int(os.environ.get("BENCH_SITE_LINKS", "40"))
LIMIT_S = 600.0

Json = dict[str, Any]


def main() -> int:
    """Exit code 0 if every aim was kept, else 1."""
    workspace = default_workspace(LIMIT_S)
    facts = machine.describe()
    found = _measured(empty_folder(workspace.folder / "site-loss"), workspace)
    for name, value in facts.items():
        print(f"{name}: {value}")
    judged = aims(found)
    for aim in judged:
        print(f"- {aim.text}: {aim.measured}: {'kept' if aim.is_met else 'MISSED'}")
    print(json.dumps(found, indent=1))
    return 0 if all(aim.is_met for aim in judged) else 1


def _measured(home: Path, workspace: Workspace) -> Json:
    with mass_console(home, workspace, LINKS) as console:
        import django

        django.setup()
        wait_for(lambda: len(_in_state("protected")) == LINKS, 120, "every link to be protected")
        found: Json = {"links": LINKS, "rehearsals": beside_rehearsals(console)}
        wait_for(lambda: len(_in_state("protected")) == LINKS, 120, "every link to be protected again")
        found["known_s"] = _lose_site(console)
        found["incident"] = planned_by_incident(console, wanted_options())
        plans = make_plans(console, wanted_options())
        found["plans"] = [took for took, _ in plans]
        found["refused"] = [refusal(plan) for _, plan in plans if plan["state"] != "ready"]
        found |= run_all(console, [plan for _, plan in plans if plan["state"] == "ready"])
        console.lab.load_stop()
        found["judged"] = _judged(console.lab)
    return found


def _in_state(*states: str) -> list[str]:
    from backend.monitoring.models import LinkStatus

    return list(LinkStatus.objects.filter(state__in=states).values_list("pk", flat=True))


def _lose_site(console: MassConsole) -> Json:
    """Every active side stops answering; the time until each link offers a failover."""
    from backend.monitoring.models import LinkStatus

    began = time.monotonic()
    known: dict[str, float] = {}
    for number in range(LINKS - 1):
        console.lose(host_of(NET, number, 0))
    for node in [node for node in console.lab.nodes if node.site == SITE]:
        console.lab.kill(node.name)
    lost_s = time.monotonic() - began

    def all_known() -> bool:
        for link, action in LinkStatus.objects.values_list("pk", "primary_action"):
            if (action or {}).get("kind") == "failover":
                known.setdefault(link, time.monotonic() - began)
        return len(known) == LINKS

    wait_for(all_known, 60, "every loss to be known", pause_s=0.05)
    stand_ins = [took for link, took in known.items() if link != console.real_link]
    times = {"striking": lost_s, "stand_ins_first": min(stand_ins), "stand_ins_median": statistics.median(stand_ins)}
    times |= {"stand_ins_all": max(stand_ins), "real": known[console.real_link]}
    return {name: round(took, 2) for name, took in times.items()}


def _judged(lab: Lab) -> Json:
    """What the living nodes hold; a write that only the lost site had is counted apart."""
    verdict = lab.verify(seconds=60, sites=("b",))
    writes = ledger.read_all(lab.paths.ledgers, ended=True)
    sites = [writes[one].site for one in verdict.faults["lost"]]
    return {
        "nodes": verdict.nodes,
        "acknowledged": verdict.acknowledged_by_site,
        "lost_of_survivor": sum(site != SITE for site in sites),
        "lost_with_the_site": sum(site == SITE for site in sites),
        "faults": {kind: len(found) for kind, found in verdict.faults.items()},
        "unsettled": verdict.unsettled,
    }
