"""Events told to webhooks: once, in order, tried again, and given up in the end."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.notifications.hooks import dispatch, notifications
from backend.notifications.hooks.destinations.services import destination_delete
from backend.notifications.hooks.models import Delivery, DeliveryState, Hook
from backend.notifications.hooks.services import hook_delete, hook_update
from tests.backend.hooks.event_notices import notice_hook, raised
from tests.support.clock import stop_present
from tests.support.destinations import make_destination
from tests.support.webhook_receiver import Receiver


def test_notice__grave_enough_and_asked_for__told_once(link: Link, receiver: Receiver) -> None:
    raised(link, "node.down")
    notice_hook(link, receiver, kinds=["node.", "run.failed"])
    for kind, severity in (
        ("node.down", "blocker"),
        ("node.up", "ok"),
        ("run.failed", "blocker"),
        ("run.failed_twice", "info"),
        ("link.broken", "blocker"),
        ("hook.failed", "blocker"),
    ):
        raised(link, kind, severity)
    for _ in range(3):
        dispatch.sweep()
        notifications.deliver_due()
    assert [call.json["kind"] for call in receiver.calls] == ["node.down", "run.failed"]
    body = receiver.calls[0].json
    assert (body["phase"], body["event"]["severity"], body["summary"]) == ("event", "blocker", "node.down happened")
    assert Delivery.objects.filter(state=DeliveryState.DELIVERED, due_at=None).count() == 2


def test_notice__all_news_asked_for__good_news_too(link: Link, receiver: Receiver) -> None:
    notice_hook(link, receiver, min_severity="info", kinds=["run."])
    for kind, severity in (("run.started", "info"), ("run.succeeded", "ok"), ("run.odd", "strange")):
        raised(link, kind, severity)
    dispatch.sweep()
    notifications.deliver_due()
    assert [call.json["kind"] for call in receiver.calls] == ["run.started", "run.succeeded"]


def test_notice__events_of_another_link__are_not_told(link: Link, receiver: Receiver) -> None:
    notice_hook(link, receiver)
    events.raised(link_id="l_other", kind="node.down", severity="blocker", message="elsewhere")
    dispatch.sweep()
    assert notifications.deliver_due() == 0


@pytest.mark.parametrize("kind", ["protected_change.announced", "database.restored", "sign_in.break_glass"])
def test_notice__of_the_console_as_a_whole__told_to_no_receiver_of_a_single_link(
    link: Link, receiver: Receiver, kind: str
) -> None:
    for_all, for_one = make_destination("slack", None), make_destination("slack", link)
    webhook = notice_hook(link, receiver)
    events.raised(link_id="", kind=kind, severity="warning", message="An approver was added.")
    dispatch.sweep()
    told = {hook.id: list(hook.deliveries.values_list("kind", flat=True)) for hook in (for_all, for_one, webhook)}
    assert told == {for_all.id: [kind], for_one.id: [], webhook.id: []}


def test_receiver__deleted_while_a_message_waits__the_others_are_told_what_it_was_not(
    link: Link, receiver: Receiver
) -> None:
    gone, left = make_destination("slack", None), make_destination("teams", None)
    webhook = notice_hook(link, receiver)
    events.raised(link_id="", kind="protected_change.announced", severity="warning", message="An approver was added.")
    destination_delete(actor="anna", hook=gone)
    hook_delete(actor="anna", hook=webhook)
    dispatch.sweep()
    told = set(left.deliveries.values_list("kind", flat=True))
    assert told == {"protected_change.announced", "receiver.deleted"}
    messages = [event.data["message"] for event in Event.objects.filter(data__kind="receiver.deleted").order_by("id")]
    assert messages[0].startswith(f"anna deleted the {gone.label}. Not sent to it: protected_change.announced.")
    assert messages[1:] == [f"anna deleted the {webhook.label}."]


def test_notice__id_becomes_visible_late__is_still_told(link: Link, receiver: Receiver) -> None:
    """A transaction that began earlier commits later: its event has the smaller id."""
    hook = notice_hook(link, receiver)
    late = raised(link, "node.down")
    newer = raised(link, "run.failed")
    stored = dict(Event.objects.filter(pk=late.pk).values()[0])
    Event.objects.filter(pk=late.pk).delete()
    notifications.enqueue_events(Hook.objects.get(pk=hook.pk), timezone.now())
    Event.objects.create(**stored)
    notifications.enqueue_events(Hook.objects.get(pk=hook.pk), timezone.now())
    assert set(Delivery.objects.values_list("key", flat=True)) == {f"event:{late.pk}", f"event:{newer.pk}"}


def test_notice__past_the_commit_grace__is_not_looked_at_again_and_a_day_old_one_wakes_nobody(
    link: Link, receiver: Receiver
) -> None:
    hook = notice_hook(link, receiver)
    raised(link, "node.down", age=timedelta(hours=25))
    settled = raised(link, "node.down", age=timedelta(minutes=5))
    fresh = raised(link, "run.failed")
    notifications.enqueue_events(Hook.objects.get(pk=hook.pk), timezone.now())
    assert set(Delivery.objects.values_list("key", flat=True)) == {f"event:{settled.pk}", f"event:{fresh.pk}"}
    assert Hook.objects.get(pk=hook.pk).event_cursor == settled.pk


def test_notice__receiver_down__waits_longer_each_time_holds_back_its_others_and_is_given_up_in_the_end(
    link: Link, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = stop_present(monkeypatch)
    notice_hook(link, receiver)
    receiver.answers = [500]
    raised(link, "node.down")
    raised(link, "run.failed")
    dispatch.sweep()
    waits = []
    for attempt in range(1, len(notifications.BACKOFF) + 2):
        assert notifications.deliver_due() == 1, "the second notice waits with the first"
        first = Delivery.objects.order_by("created_at", "id").first()
        assert first is not None
        assert first.attempts == attempt
        if first.due_at is not None:
            waits.append(first.due_at - present)
        Delivery.objects.filter(pk=first.pk, due_at__isnull=False).update(due_at=present - timedelta(seconds=1))
    assert waits == list(notifications.BACKOFF)
    assert Delivery.objects.filter(state=DeliveryState.FAILED, due_at=None).count() == 1
    assert Event.objects.filter(data__kind="hook.failed").count() == 1
    receiver.answers = [200]
    Delivery.objects.filter(due_at__isnull=False).update(due_at=timezone.now() - timedelta(seconds=1))
    assert notifications.deliver_due() == 1
    dispatch.sweep()
    assert not Delivery.objects.filter(kind="hook.failed").exists(), "webhooks are never told of webhooks"


def test_notice__worker_died_with_it__is_taken_up_by_the_next(link: Link, receiver: Receiver) -> None:
    notice_hook(link, receiver)
    raised(link, "node.down")
    dispatch.sweep()
    claimed = notifications._claim()
    assert claimed is not None
    assert notifications.deliver_due() == 0
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert notifications.deliver_due() == 1
    assert Delivery.objects.get().state == DeliveryState.DELIVERED


def test_notice__switched_off_and_on__what_happened_meanwhile_is_not_told(link: Link, receiver: Receiver) -> None:
    hook = notice_hook(link, receiver)
    raised(link, "node.down")
    dispatch.sweep()
    hook = hook_update(actor="test", hook=hook, enabled=False)
    raised(link, "run.failed")
    dispatch.sweep()
    assert notifications.deliver_due() == 1, "that it was switched off"
    hook_update(actor="test", hook=hook, enabled=True)
    dispatch.sweep()
    assert notifications.deliver_due() == 0
    raised(link, "link.broken", "blocker")
    dispatch.sweep()
    notifications.deliver_due()
    assert [call.json["kind"] for call in receiver.calls] == ["receiver.changed", "link.broken"]
