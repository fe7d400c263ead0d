"""Events of a link, sent to its destinations."""

from __future__ import annotations

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.notifications.hooks import dispatch, notifications

CALLED = ("slack", "teams", "pagerduty", "opsgenie")


def raise_events(link: Link, *kinds: tuple[str, str], subject: str = "db-a1", run_id: str = "") -> None:
    """Raise the events and send what they cause."""
    for kind, severity in kinds:
        message = f"{subject}: {kind} & <!channel>"
        events.raised(link_id=link.pk, kind=kind, severity=severity, message=message, subject=subject, run_id=run_id)
    dispatch.sweep()
    notifications.deliver_due()
