"""Which alarms are raised and resolved under which key."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.notifications.hooks import dispatch, notifications
from backend.notifications.hooks.messages.conditions import CONDITIONS, ended_by, key_of
from backend.notifications.hooks.models import Delivery
from tests.backend.hooks.messages.sent_events import raise_events
from tests.support.console import make_link
from tests.support.destinations import make_destination, routed
from tests.support.event_reference import KINDS, severities_of
from tests.support.webhook_receiver import Receiver

__all__ = ["routed"]


def data(kind: str, severity: str = "blocker", **changes: Any) -> dict[str, Any]:
    """An event's data."""
    return {"kind": kind, "severity": severity, "run_id": None, "subject": None, **changes}


def test_conditions__their_kinds__are_kinds_of_events_with_fitting_severities() -> None:
    severities = {kind: severities_of(entry) for entry in KINDS for kind in entry.codes}
    for condition in CONDITIONS:
        for kind in condition.begins:
            assert severities[kind] & {"warning", "unknown", "blocker"}, kind
        for kind in condition.ends:
            assert severities[kind] & {"ok", "info"}, kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (data("node.down", subject="db-a1"), data("node.up", "ok", subject="db-a1")),
        (data("link.unknown"), data("link.protected", "ok")),
        (data("link.maintenance_ended", "warning"), data("link.maintenance_ended", "ok")),
        (data("run.failed", run_id="r_1"), data("run.succeeded", "ok", run_id="r_1")),
        (data("advice.appeared", subject="x milan"), data("advice.resolved", "ok", subject="x milan")),
    ],
)
def test_key__begin_and_end__are_equal(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert key_of("l_1", one) == key_of("l_1", other)
    assert key_of("l_1", one) != key_of("l_2", one)
    assert ended_by(one) is None
    assert ended_by(other) is not None


def test_key__two_nodes__two_alarms() -> None:
    assert key_of("l_1", data("node.down", subject="db-a1")) != key_of("l_1", data("node.down", subject="db-a2"))
    assert key_of("", data("audit.damaged")) == "hawser/console/audit.damaged"


def test_end__of_an_earlier_version_that_names_no_node__ends_nothing() -> None:
    assert ended_by({"kind": "node.up", "severity": "ok", "run_id": None}) is None


def told_kinds() -> list[str]:
    """What was stored to be sent, in order."""
    return list(Delivery.objects.order_by("created_at", "id").values_list("kind", flat=True))


def test_alarm__good_news__resolves_what_was_asked_for_and_wakes_nobody(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    make_destination("pagerduty", link, kinds=["node.down"], min_severity="info")
    make_destination("opsgenie", link, min_severity="info")
    raise_events(link, ("run.started", "info"), ("node.up", "ok"), ("link.protected", "ok"))
    assert told_kinds() == ["node.up"]
    assert [call.json["event_action"] for call in receiver.calls] == ["resolve"]


def test_chat__good_news__told_if_asked_for(link: Link, receiver: Receiver, routed: list[str]) -> None:
    make_destination("slack", link, min_severity="info")
    raise_events(link, ("node.up", "ok"))
    assert told_kinds() == ["node.up"]


def test_alarm__node_returns_within_a_maintenance__resolved_and_nothing_new_is_raised(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    make_destination("pagerduty", link)
    make_destination("slack", link, min_severity="info")
    link.paused_until = timezone.now() + timedelta(hours=1)
    link.save()
    raise_events(link, ("node.down", "blocker"), ("node.up", "ok"))
    assert told_kinds() == ["node.up"]


def test_order__beginning_is_on_its_way_in_another_worker__its_end_waits(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    make_destination("pagerduty", link)
    for kind, severity in (("node.down", "blocker"), ("node.up", "ok")):
        events.raised(link_id=link.pk, kind=kind, severity=severity, message=kind, subject="db-a1")
    dispatch.sweep()
    in_other_worker = notifications._claim()
    assert in_other_worker is not None
    assert notifications.deliver_due() == 0
    notifications._deliver(in_other_worker)
    assert notifications.deliver_due() == 1
    assert [call.json["event_action"] for call in receiver.calls] == ["trigger", "resolve"]


def test_all_links__events_of_each_and_of_the_console__name_their_own_link(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    other = make_link("orders", "127.0.72")
    make_destination("pagerduty", None)
    make_destination("slack", link)
    raise_events(link, ("link.broken", "blocker"))
    raise_events(other, ("link.broken", "blocker"))
    events.raised(link_id="", kind="audit.damaged", severity="blocker", message="The audit log is damaged.")
    dispatch.sweep()
    notifications.deliver_due()
    keys = [call.json["dedup_key"] for call in receiver.calls if "dedup_key" in call.json]
    assert keys == [f"hawser/{one.pk}/link state" for one in (link, other)] + ["hawser/console/audit.damaged"]
    assert len(receiver.calls) == 4, "the destination of one link is told of that link alone"
