"""Every event of the stream and every kind of `event.raised`; docs/reference/events.md is written from it."""

from __future__ import annotations

from collections.abc import Mapping

from backend.common.events.event_catalogue import automation, console, incidents, links, runs
from backend.common.events.event_catalogue.entry import EventKind
from backend.common.events.event_catalogue.stream import STREAM

__all__ = ["STREAM", "SUBJECTS"]

SUBJECTS: Mapping[str, tuple[EventKind, ...]] = {
    "State of a link": links.LINKS,
    "Nodes": links.NODES,
    "Channels": links.CHANNELS,
    "Sites": links.SITES,
    "Fence of the standby side": links.STANDBY_FENCE,
    "Advice": links.ADVICE,
    "Certificates": links.CERTIFICATES,
    "Decisions on a run": runs.DECISIONS,
    "End of a run": runs.ENDS,
    "Changes of a link by a run": runs.EFFECTS,
    "Incidents": incidents.INCIDENTS,
    "Automation and rehearsals": automation.AUTOMATIC,
    "The console": console.CONSOLE,
}
