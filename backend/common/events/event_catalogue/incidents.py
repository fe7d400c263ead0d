"""Kinds of incidents: each is raised for every link that the confirmation covers."""

from __future__ import annotations

from backend.common.events.event_catalogue.entry import EventKind
from backend.core.findings import Severity

INCIDENTS = (
    EventKind(
        kind="incident.confirmed",
        severities=(Severity.WARNING,),
        sent_when="An operator confirmed an incident. Its runs send their own events when they start.",
        message=(
            "anna confirmed incident Loss of milan. payments is number 1 of 3 operations: Fail over to frankfurt."
        ),
        actor="who confirmed the incident",
    ),
    EventKind(
        kind="incident.approved",
        severities=(Severity.INFO,),
        sent_when="A second person approved all that an incident starts on links which need an approval.",
        message="ben approved incident Loss of milan, and with it: Fail over to frankfurt.",
        actor="who approved the incident",
    ),
    EventKind(
        kind="incident.stopped",
        severities=(Severity.BLOCKER,),
        sent_when="An operation of the incident failed or was not started. Nothing new is started.",
        message="Incident Loss of milan: Stopped because payments failed. Nothing new is started. 0 of 3 …",
        actor="`console`",
    ),
    EventKind(
        kind="incident.ended",
        severities=(Severity.INFO,),
        sent_when="Every operation of the incident has ended.",
        message="Incident Loss of milan ended: 3 of 3 operations succeeded.",
        actor="`console`",
    ),
    EventKind(
        kind="incident.aborted",
        severities=(Severity.INFO,),
        sent_when="An operator aborted a confirmed incident. What has started ends by its own rules.",
        message="anna aborted incident Loss of milan. Nothing new is started.",
        actor="who aborted the incident",
    ),
)
