"""An operator's run while rehearsals wait for workers."""

from __future__ import annotations

from typing import Any

from bench.console import wait_for
from bench.site_loss.console import MassConsole
from bench.site_loss.operations import make_plan, run_plan

REHEARSED = 20


def beside_rehearsals(console: MassConsole) -> dict[str, Any]:
    """How long an operator's run is queued while rehearsals of other links wait for workers."""
    from backend.clusters.models import Link
    from backend.operations.rehearsals.models import Rehearsal, RehearsalSchedule
    from backend.operations.rehearsals.tasks import rehearse

    peers = Link.objects.exclude(pk=console.real_link).values_list("pk", flat=True)[:REHEARSED]
    plan = make_plan(console, console.real_link, "switchover", {})
    for link in peers:
        RehearsalSchedule.objects.create(link_id=link, enabled=True, every_hours=24, kinds=["failover"])
        rehearse.apply_async(args=(link, "failover"))
    held = Rehearsal.objects.count()
    run = run_plan(console, plan)
    wait_for(lambda: Rehearsal.objects.count() == len(peers), 120, "the rehearsals to be held")
    back = run_plan(console, make_plan(console, console.real_link, "failback", {}))
    return {
        "queued_s": run["durations"]["queued_s"],
        "alone_s": back["durations"]["queued_s"],
        "waited_when_confirmed": len(peers) - held,
        "passed": Rehearsal.objects.filter(state="passed").count(),
        "rehearsals": len(peers),
    }
