"""Kinds of runs and of what a run changes in the console."""

from __future__ import annotations

from backend.common.events.event_catalogue.entry import EventKind
from backend.core.findings import Severity

_RUN = "the run"
_REQUESTER = "who requested the run"
_DECIDER = "who decided"

DECISIONS = (
    EventKind(
        kind="run.started",
        severities=(Severity.INFO,),
        sent_when="A user or the automation started a run that needs no second person.",
        message="anna started: relocate the forward channel to db-a2 → db-b1",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="run.waiting_approval",
        severities=(Severity.WARNING,),
        sent_when="A run was requested, or resumed, and waits for a second person.",
        message="A second person must approve until 03:34 UTC. anna requests: switch over to frankfurt",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="run.approval_reminder",
        severities=(Severity.WARNING,),
        sent_when="Half of the time for the approval is over, and approvals are still missing. Sent once.",
        message="Still 1 approval missing, until 03:34 UTC: switch over to frankfurt",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="run.calendar_override",
        severities=(Severity.WARNING, Severity.BLOCKER),
        sent_when="A planned operation was started in spite of the change calendar; blocker: by break-glass.",
        message=(
            "ben lets the run start in spite of the change calendar: the disk is failing. "
            "No change window of this link is open. The next one opens at 2026-11-28 22:00 UTC."
        ),
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="run.approve_partly",
        severities=(Severity.INFO,),
        sent_when="A person approved the run, and approvals of other persons are still missing.",
        message="ben: approve_partly run r_k3vq7m2xw5ta. Still missing: 1 approval",
        run_id=_RUN,
        actor=_DECIDER,
    ),
    EventKind(
        kind="run.reject",
        severities=(Severity.WARNING,),
        sent_when="An approver rejected the run. It is aborted, or needs an operator if it had been resumed.",
        message="ben: reject run r_k3vq7m2xw5ta. ben rejected the run: not before the backup",
        run_id=_RUN,
        actor=_DECIDER,
    ),
    EventKind(
        kind="run.approve",
        severities=(Severity.INFO,),
        sent_when="The last approval that the run needed was given.",
        message="ben: approve run r_k3vq7m2xw5ta",
        run_id=_RUN,
        actor=_DECIDER,
    ),
    EventKind(
        kind="run.approve_exception",
        severities=(Severity.INFO,),
        sent_when="At the shell, the run was released without a second person. `run.approval_exception` follows.",
        message="break-glass anna: approve_exception run r_k3vq7m2xw5ta",
        run_id=_RUN,
        actor=_DECIDER,
    ),
    EventKind(
        kind="run.approval_exception",
        severities=(Severity.BLOCKER,),
        sent_when="The same, with the reason: another user must review it.",
        message=(
            "break-glass anna let run r_k3vq7m2xw5ta start WITHOUT a second person: no approver answers. "
            "Another user must review it."
        ),
        run_id=_RUN,
        actor=_DECIDER,
    ),
    EventKind(
        kind="run.review_exception",
        severities=(Severity.INFO,),
        sent_when="Another user reviewed the exception.",
        message="ben: review_exception run r_k3vq7m2xw5ta",
        run_id=_RUN,
        actor=_DECIDER,
    ),
    EventKind(
        kind="run.expire",
        severities=(Severity.WARNING,),
        sent_when="The run was not approved in time. It is aborted, or needs an operator if it had been resumed.",
        message=(
            "console: expire run r_k3vq7m2xw5ta. The run was not approved in time. Nothing was sent. Create a new plan."
        ),
        run_id=_RUN,
        actor="`console`, or the user whose approval came too late",
    ),
    EventKind(
        kind="run.abort",
        severities=(Severity.INFO,),
        sent_when="A user aborted the run. One that had started is reverted; `run.aborted` follows.",
        message="anna: abort run r_k3vq7m2xw5ta",
        run_id=_RUN,
        actor=_DECIDER,
    ),
    EventKind(
        kind="run.resume",
        severities=(Severity.INFO,),
        sent_when="A user resumed a run that needed an operator.",
        message="anna: resume run r_k3vq7m2xw5ta",
        run_id=_RUN,
        actor=_DECIDER,
    ),
)
ENDS = (
    EventKind(
        kind="run.succeeded",
        severities=(Severity.OK,),
        sent_when="A worker completed the run, and its result is verified.",
        message="The forward channel replicates db-a2 → db-b1. Verified.",
        run_id=_RUN,
    ),
    EventKind(
        kind="run.failed",
        severities=(Severity.BLOCKER,),
        sent_when="A worker ended the run without its result; what it had changed was reverted, or nothing was sent.",
        message="db-b1 did not stop its channel in time. The previous state was restored.",
        run_id=_RUN,
    ),
    EventKind(
        kind="run.aborted",
        severities=(Severity.INFO,),
        sent_when="A worker reverted a run that a user aborted.",
        message="Aborted by anna. The previous state was restored.",
        run_id=_RUN,
    ),
    EventKind(
        kind="run.needs_operator",
        severities=(Severity.BLOCKER,),
        sent_when="A worker stopped the run, which neither continues nor ends without a decision.",
        message="db-b1 did not respond. Whether START SLAVE took effect is unknown.",
        run_id=_RUN,
    ),
    EventKind(
        kind="run.tampered",
        severities=(Severity.BLOCKER,),
        sent_when="A worker refused a run that the console did not release: its row was changed by other means.",
        message="The worker refused the run. It was not released by the console.",
        run_id=_RUN,
    ),
)
EFFECTS = (
    EventKind(
        kind="link.roles",
        severities=(Severity.INFO,),
        sent_when="A run swapped the roles of the sides.",
        message="The link's roles were swapped.",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="link.invalidated",
        severities=(Severity.INFO,),
        sent_when="A failover invalidated the lost side: it cannot be a source until it is reconciled.",
        message="frankfurt had applied everything of milan up to seqno 5013.",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="link.reconciled",
        severities=(Severity.INFO,),
        sent_when="A reprotect reconciled the lost side.",
        message="The lost side is reconciled.",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="link.attached",
        severities=(Severity.INFO,),
        sent_when="The reconciled side replicates: the failover has ended.",
        message="The lost side is the standby side again.",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
    EventKind(
        kind="link.state_uuid",
        severities=(Severity.INFO,),
        sent_when="A run accepted the new state UUID of a side.",
        message="The new state UUID of a side is accepted.",
        run_id=_RUN,
        actor=_REQUESTER,
    ),
)
