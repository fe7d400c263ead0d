"""What is promised for the loss of a site that many links have in common."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from bench.targets import Target

MOST_PLANNING = 8
KNOWN_S, PLANS_S, RUNS_S, QUEUED_S = 10.0, 5.0, 30.0, 1.0


def aims(found: dict[str, Any]) -> list[Target]:
    """Each promise with its figure."""
    links, known, rehearsed, incident = found["links"], found["known_s"], found["rehearsals"], found["incident"]
    waited = rehearsed["waited_when_confirmed"]
    verified = sum(verdict == "verified" for verdict in found["verdicts"])
    return [
        Target(
            f"an operator's run waits less than {QUEUED_S:.0f} s while {waited} rehearsals wait",
            f"{rehearsed['queued_s']} s; {rehearsed['alone_s']} s without them",
            rehearsed["queued_s"] < QUEUED_S,
        ),
        Target(
            f"the loss is known on {links} links within {KNOWN_S:.0f} s",
            f"stand-ins: median {known['stand_ins_median']} s, all {known['stand_ins_all']} s; real: {known['real']} s",
            max(known["stand_ins_all"], known["real"]) < KNOWN_S,
        ),
        Target(
            f"{links} failovers planned at once within {PLANS_S:.0f} s",
            f"{spread(found['plans'])}; refused: {len(found['refused'])}",
            max(found["plans"]) < PLANS_S and not found["refused"] and len(found["plans"]) == links,
        ),
        Target(
            f"the same by one incident, at most {MOST_PLANNING} at a time",
            f"{incident['ready']} ready after {incident['attested_s']} s, at most {incident['most_at_once']} at a time",
            incident["ready"] == links and incident["most_at_once"] <= MOST_PLANNING,
        ),
        Target(
            f"{links} runs confirmed at once are verified within {RUNS_S:.0f} s",
            f"{verified} of {links}, all after {found['runs_s']} s",
            verified == links and found["runs_s"] < RUNS_S,
        ),
        _judged(found["judged"]),
    ]


def _judged(judged: dict[str, Any]) -> Target:
    """What the surviving site acknowledged is there once; what the lost one kept for itself is lost with it."""
    faults = judged["faults"]
    return Target(
        "no write that the surviving real site acknowledged is lost, none is doubled",
        f"lost {judged['lost_of_survivor']}, doubled {faults['doubled']} of {judged['acknowledged'].get('b', 0)}",
        not judged["lost_of_survivor"] and not faults["doubled"] and not judged["unsettled"],
    )


def spread(seconds: Sequence[float]) -> str:
    """Median, 95 % and all."""
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return f"median {statistics.median(ordered):.2f} s, p95 {p95:.2f} s, all {ordered[-1]:.2f} s"
