"""Kinds of what Hawser does automatically, and of rehearsals."""

from __future__ import annotations

from backend.common.events.event_catalogue.entry import EventKind
from backend.core.findings import Severity

_AUTOMATION = "`automation`"

AUTOMATIC = (
    EventKind(
        kind="automation.proposed",
        severities=(Severity.WARNING,),
        sent_when="The automatic relocate is set to propose, and its plan is ready.",
        message="db-a1 has been down for 30 s, confirmed by every poll. Plan p_w5rb2e6kfx3m is ready: relocate …",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="automation.started",
        severities=(Severity.WARNING,),
        sent_when="The automatic relocate started a run.",
        message="db-a1 has been down for 30 s, confirmed by every poll. Relocating automatically.",
        run_id="the run that was started",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="automation.held",
        severities=(Severity.WARNING,),
        sent_when="The automatic relocate was due and not possible. Raised once for each reason.",
        message="Automatic relocate is not possible: the position of db-b1 is not proven.",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="automatic_start.started",
        severities=(Severity.WARNING,),
        sent_when="The automatic start of a channel started a run.",
        message="The forward channel stopped without an error; its I/O thread still runs. Starting it at its position.",
        run_id="the run that was started",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="automatic_start.held",
        severities=(Severity.WARNING,),
        sent_when="The automatic start was due and not possible. Raised once for each reason.",
        message="Automatic start is not possible: It was started 3 times within an hour and stopped again. …",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="returned_side.seen",
        severities=(Severity.WARNING,),
        sent_when="A node of a lost side is reachable again, for each start of its server.",
        message="db-a1 of the lost side is reachable again and writable.",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="returned_side.fencing",
        severities=(Severity.WARNING,),
        sent_when="A run was started that fences the returned nodes.",
        message="Fencing db-a1 of the lost side.",
        run_id="the run that was started",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="returned_side.held",
        severities=(Severity.BLOCKER,),
        sent_when="A returned node is not fenced, because an unfinished run of the link waits for a person.",
        message="The lost side is reachable again and not fenced: run r_k3vq7m2xw5ta is unfinished …",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="returned_side.refused",
        severities=(Severity.BLOCKER,),
        sent_when="A returned node could not be fenced. Raised once for each reason.",
        message="db-a1 of the lost side could not be fenced: its write account has no privilege SUPER.",
        actor=_AUTOMATION,
    ),
    EventKind(
        kind="rehearsal.failed",
        severities=(Severity.WARNING,),
        sent_when="A rehearsal, scheduled or requested, found that its operation would be refused.",
        message="The rehearsal of a failover failed: 1 blocker.",
        actor="`schedule`, or who requested the rehearsal",
    ),
)
