"""Which events a webhook or destination is told of."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.findings import Severity
from backend.core.hooks import HookService
from backend.notifications.hooks.messages.conditions import Condition, ended_by
from backend.notifications.hooks.models import Hook

CONSOLE = ""
"""Used instead of a link for events of the console as a whole: destinations of all links receive them."""
ALARMS: Final = frozenset({HookService.PAGERDUTY, HookService.OPSGENIE})
"""They wake a person: good news is none of their business, unless it ends what they were told of."""
RESOLVING: Final = frozenset({HookService.PAGERDUTY})
"""Apprise can resolve an alarm by its key there. It closes an alert of Opsgenie only by an id that it does not keep."""
_RANK = {Severity.OK: 0, Severity.INFO: 0, Severity.WARNING: 1, Severity.UNKNOWN: 2, Severity.BLOCKER: 3}
"""Rank of an event's severity; good news ranks like any other."""


def matches(hook: Hook, event: Event) -> bool:
    """Whether an event has the severity and a kind that the webhook receives."""
    kind, severity = event.data["kind"], event.data["severity"]
    if kind.startswith("hook.") or severity not in set(Severity):
        return False
    if hook.service in ALARMS and not _RANK[Severity(severity)]:
        return _is_resolved(hook, ended_by(event.data))
    return _is_asked_for(hook, kind) and _RANK[Severity(severity)] >= _RANK[Severity(hook.min_severity)]


def lessened(before: Hook, after: Hook) -> list[str]:
    """What a receiver that was on is told less of than before, or stops less of, in words."""
    fewer = not before.kinds or not all(kind.startswith(tuple(after.kinds)) for kind in before.kinds)
    found = {
        "switched off": not after.enabled,
        "another phase": after.phase != before.phase,
        "fewer kinds": bool(after.kinds) and fewer,
        "a shorter time for its answer": after.timeout_s < before.timeout_s,
        "a higher severity": _RANK[Severity(after.min_severity)] > _RANK[Severity(before.min_severity)],
        "it stops no run any more": before.blocking and not after.blocking,
    }
    return [what for what, is_so in found.items() if before.enabled and is_so]


def is_held_back(hook: Hook, event: Event, link: Link | None, now: datetime) -> bool:
    """Whether the event reports what the monitor saw of a link in maintenance; an alarm is resolved all the same."""
    if link is None or not link.is_paused(now) or not is_observed(event):
        return False
    return not (hook.service in RESOLVING and ended_by(event.data) is not None)


def is_observed(event: Event) -> bool:
    """Whether the event reports what the monitor saw: no webhook is told of it during a maintenance of the link."""
    seen = ("node.", "link.", "channel.", "site.", "advice.")
    return event.link_id != CONSOLE and event.data["kind"].startswith(seen)


def _is_resolved(hook: Hook, ended: Condition | None) -> bool:
    """Whether the destination may have been told that the condition began."""
    if ended is None or hook.service not in RESOLVING:
        return False
    return any(_is_asked_for(hook, kind) for kind in ended.begins)


def _is_asked_for(hook: Hook, kind: str) -> bool:
    return not hook.kinds or any(kind.startswith(beginning) for beginning in hook.kinds)
