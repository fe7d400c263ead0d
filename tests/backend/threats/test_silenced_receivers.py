"""Who silences a receiver of notifications by a change of it is told to the others, and to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.identity.accounts.installation import end_installation
from backend.notifications.hooks import dispatch, notifications
from backend.notifications.hooks.destinations.selectors import DESTINATIONS
from backend.notifications.hooks.destinations.services import destination_delete, destination_update
from backend.notifications.hooks.models import Delivery, DeliveryState, Hook
from backend.notifications.hooks.services import hook_update
from backend.registration.retirement import retire_link_row
from tests.backend.hooks.event_notices import notice_hook
from tests.support.destinations import SLACK_URL, TEAMS_URL, make_destination, routed
from tests.support.webhook_receiver import Receiver
from tests.support.webhooks import make_hook

__all__ = ["routed"]
OTHER_URL = SLACK_URL.replace("T1JJ3T3L2", "T1JJ3T3L9")
OFF: dict[str, Any] = {"enabled": False}
MOVED: dict[str, Any] = {"settings": {"url": OTHER_URL}}
CHANGES: list[tuple[dict[str, Any], str]] = [
    (OFF, "switched off"),
    ({"kinds": ["run."]}, "fewer kinds"),
    ({"min_severity": "blocker"}, "a higher severity"),
    (MOVED, "another address or secret"),
    ({**OFF, **MOVED}, "switched off, another address or secret"),
]
WAITING = "protected_change.announced"


def _announced() -> None:
    events.raised(link_id="", kind=WAITING, severity="warning", message="An approver was added.")


def _messages() -> list[str]:
    return [event.data["message"] for event in Event.objects.filter(data__kind="receiver.changed").order_by("id")]


def _sent() -> None:
    """Until nothing is due: one that waits behind another goes in a later round."""
    dispatch.sweep()
    while notifications.deliver_due():
        pass


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_destination__told_less_or_led_elsewhere__told_to_the_others_and_to_it(
    link: Link, receiver: Receiver, routed: list[str], change: dict[str, Any], said: str
) -> None:
    silenced, left = make_destination("slack", None), make_destination("teams", None)
    _announced()
    destination_update(actor="anna", hook=silenced, **change)
    assert _messages() == [f"anna changed the {silenced.label}: {said}. Not sent to it before: {WAITING}."]
    _sent()
    assert set(left.deliveries.values_list("kind", flat=True)) == {WAITING, "receiver.changed"}
    (told,) = silenced.deliveries.filter(kind="receiver.changed")
    assert told.state == DeliveryState.DELIVERED
    assert SLACK_URL in routed
    assert not told.payload.keys() & {"sealed", "former"}


def test_webhook__switched_off_or_led_elsewhere__told_at_its_old_address(link: Link, receiver: Receiver) -> None:
    hook, elsewhere = notice_hook(link, receiver), "https://elsewhere.example.net/"
    hook_update(actor="anna", hook=hook, url=elsewhere, enabled=False)
    _sent()
    assert [call.json["kind"] for call in receiver.calls] == ["receiver.changed"]
    hook_update(actor="anna", hook=Hook.objects.get(pk=hook.pk), enabled=True, url=elsewhere)
    assert len(_messages()) == 1, "one that is off is told nothing to begin with"


def test_webhook__that_may_stop_a_run__made_harmless__told_to_the_others(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    hook_update(actor="anna", hook=hook, blocking=False)
    assert _messages() == [f"anna changed the {hook.label}: it stops no run any more."]
    assert not hook.deliveries.exists()


@pytest.mark.parametrize(
    "change", [{"name": "pager"}, {"kinds": []}, {"kinds": ["run.", "node."]}, {"settings": {"url": SLACK_URL}}]
)
def test_destination__told_as_much_as_before__nothing_to_announce(link: Link, change: dict[str, Any]) -> None:
    destination_update(actor="anna", hook=make_destination("slack", None, kinds=["node.down", "run."]), **change)
    assert _messages() == []


def test_notice__switched_off_and_on_again__still_sent_at_once(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    silenced = make_destination("slack", None)
    for enabled in (False, True):
        destination_update(actor="anna", hook=Hook.objects.get(pk=silenced.pk), enabled=enabled)
    _sent()
    (told,) = silenced.deliveries.all()
    assert (told.kind, told.state) == ("receiver.changed", DeliveryState.DELIVERED)


def test_notice__led_elsewhere_and_deleted__named_as_not_sent(link: Link) -> None:
    silenced = make_destination("slack", None)
    destination_update(actor="anna", hook=silenced, **MOVED)
    destination_delete(actor="anna", hook=Hook.objects.get(pk=silenced.pk))
    (event,) = Event.objects.filter(data__kind="receiver.deleted")
    assert event.data["message"].endswith("Not sent to it: receiver.changed.")


def test_notice__old_receiver_down__keeps_none_from_the_new_one(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    silenced = make_destination("slack", None)
    destination_update(actor="anna", hook=silenced, **MOVED)
    receiver.answers = [500, 200]
    _announced()
    _sent()
    states = dict(silenced.deliveries.values_list("kind", "state"))
    assert states == {"receiver.changed": DeliveryState.PENDING, WAITING: DeliveryState.DELIVERED}
    assert TEAMS_URL not in routed


def _switch_off(hook: Hook) -> None:
    destination_update(actor="anna", hook=hook, **OFF)


def _delete(hook: Hook) -> None:
    destination_delete(actor="anna", hook=hook)


def _lead_elsewhere(hook: Hook) -> None:
    destination_update(actor="anna", hook=hook, settings={"url": OTHER_URL if hook.service == "slack" else TEAMS_URL})


def _tell_less(hook: Hook) -> None:
    destination_update(actor="anna", hook=hook, kinds=["run."])


def _off_and_on(hook: Hook) -> None:
    destination_update(actor="anna", hook=hook, kinds=["run."])
    destination_update(actor="anna", hook=Hook.objects.get(pk=hook.pk), **OFF)


SILENCED = [_switch_off, _delete, _lead_elsewhere, _tell_less, _off_and_on]
"""Each keeps a receiver from being told of what comes."""


@pytest.fixture
def in_use() -> None:
    """No installation any more: protected changes wait."""
    end_installation()


def _told(hook_id: str) -> list[str]:
    return list(
        Delivery.objects.filter(hook=hook_id, former__isnull=False).order_by("id").values_list("kind", flat=True)
    )


@pytest.mark.parametrize("silence", SILENCED)
def test_receiver__silenced_before_a_change_is_asked_for__told_of_it_where_it_was(
    link: Link, receiver: Receiver, routed: list[str], in_use: None, silence: Callable[[Hook], None]
) -> None:
    only = make_destination("slack", None)
    pk = only.pk
    silence(only)
    routed.clear()
    _announced()
    _sent()
    assert WAITING in _told(pk)
    assert SLACK_URL in routed
    assert not Delivery.objects.filter(hook=pk, state=DeliveryState.PENDING).exists()


def test_receivers__all_deleted_one_after_the_other__each_is_told_of_its_end_and_of_the_change(
    link: Link, receiver: Receiver, routed: list[str], in_use: None
) -> None:
    first, second = make_destination("slack", None), make_destination("teams", None)
    pks = (first.pk, second.pk)
    for one in (first, second):
        _delete(one)
    assert not Hook.objects.exists()
    assert not DESTINATIONS.exists()
    _announced()
    _sent()
    assert [sorted(_told(pk)) for pk in pks] == [[WAITING, "receiver.deleted", "receiver.deleted"]] * 2
    assert {SLACK_URL, TEAMS_URL} <= set(routed)


def test_receiver__silenced_for_long__told_of_nothing_and_forgotten(
    link: Link, receiver: Receiver, routed: list[str], in_use: None
) -> None:
    pks = [one.pk for one in (make_destination("slack", None), make_destination("teams", None))]
    _delete(Hook.objects.get(pk=pks[0]))
    _switch_off(Hook.objects.get(pk=pks[1]))
    long_ago = timezone.now() - timedelta(days=3)
    for hook in Hook.every.all():
        formers = [one | {"until": long_ago.isoformat()} for one in hook.formers or ()]
        Hook.every.filter(pk=hook.pk).update(formers=formers, former_until=long_ago)
    _announced()
    dispatch._forget_formers(timezone.now() - timedelta(days=1))
    _sent()
    assert WAITING not in [*_told(pks[0]), *_told(pks[1])]
    assert [hook.formers for hook in Hook.every.all()] == [None]


def test_webhook__given_a_time_in_which_nobody_answers__told_to_the_others_and_still_called_with_the_time_before(
    link: Link, receiver: Receiver, in_use: None
) -> None:
    hook = notice_hook(link, receiver, timeout_s=10)
    hook_update(actor="anna", hook=hook, timeout_s=1)
    assert _messages() == [f"anna changed the {hook.label}: a shorter time for its answer."]
    events.raised(link_id=link.pk, kind=WAITING, severity="warning", message="The rule is to end.")
    dispatch.sweep()
    (told,) = hook.deliveries.filter(kind=WAITING, former__isnull=False)
    assert told.former["timeout_s"] == 10


def test_webhook__of_events_made_one_of_runs__still_told_of_a_change(
    link: Link, receiver: Receiver, in_use: None
) -> None:
    hook = notice_hook(link, receiver)
    hook_update(actor="anna", hook=hook, phase="after")
    events.raised(link_id=link.pk, kind=WAITING, severity="warning", message="The rule is to end.")
    dispatch.sweep()
    assert sorted(_told(hook.pk)) == [WAITING, "receiver.changed"]


def test_destination__off_while_a_change_is_asked_for_and_on_again__told_of_it(
    link: Link, receiver: Receiver, routed: list[str], in_use: None
) -> None:
    hook = make_destination("slack", None)
    _switch_off(hook)
    _announced()
    destination_update(actor="anna", hook=Hook.objects.get(pk=hook.pk), enabled=True)
    _sent()
    assert sorted(_told(hook.pk)) == [WAITING, "receiver.changed"]


def test_receivers__of_a_link_that_is_retired__told_of_that_where_they_were(
    link: Link, receiver: Receiver, routed: list[str], in_use: None
) -> None:
    hook = make_destination("slack", link)
    retire_link_row(link, "anna")
    assert _messages() == [f"anna changed the {hook.label}: switched off."]
    _sent()
    (told,) = hook.deliveries.filter(kind="receiver.changed")
    assert told.state == DeliveryState.DELIVERED
    assert SLACK_URL in routed
