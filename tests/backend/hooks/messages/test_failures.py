"""A service that is down, slow, refuses or redirects; and what must not be said on the way."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import pytest
from apprise.plugins import pagerduty
from cryptography.fernet import Fernet
from django.utils import timezone

from backend.clusters.management.commands.hawser_reseal import Command as Reseal
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.common.sealing import SealError
from backend.core.hooks import HookService
from backend.notifications.hooks import notifications
from backend.notifications.hooks.delivery import store_test
from backend.notifications.hooks.messages.composing import ComposingError, compose
from backend.notifications.hooks.messages.message import message_of
from backend.notifications.hooks.messages.sealed_fields import open_fields
from backend.notifications.hooks.messages.sending import send_message
from backend.notifications.hooks.models import Delivery, DeliveryState, Hook
from tests.backend.hooks.messages.sent_events import CALLED, raise_events
from tests.support.clock import stop_present
from tests.support.destinations import KEY, SECRETS, SETTINGS, TOKEN, make_destination, routed
from tests.support.webhook_receiver import Receiver

__all__ = ["routed"]


@pytest.mark.parametrize("service", CALLED)
def test_service__answers_500_or_redirects__tried_again_and_not_followed(
    service: str, link: Link, receiver: Receiver, routed: list[str]
) -> None:
    make_destination(service, link)
    receiver.answers, receiver.headers = [500, 302], {"Location": f"http://127.0.0.1:{receiver.port}/elsewhere"}
    raise_events(link, ("node.down", "blocker"))
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.error) == (DeliveryState.PENDING, 500, "answered 500")
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    notifications.deliver_due()
    delivery.refresh_from_db()
    assert (delivery.state, delivery.status, delivery.attempts) == (DeliveryState.PENDING, 302, 2)
    assert "redirects are not followed" in delivery.error
    assert len(receiver.calls) == 2


def test_service__slow_or_down__ends_with_the_time(link: Link, receiver: Receiver, routed: list[str]) -> None:
    hook = make_destination("slack", link)
    payload = store_test(hook, due_at=None).payload
    receiver.released.clear()
    assert "no response within 0.6 s" in send_message(hook, payload, timeout_s=0.6).error
    receiver.drip_s = 0.05
    receiver.released.set()
    assert "no response within 0.6 s" in send_message(hook, payload, timeout_s=0.6).error
    assert len(receiver.calls) == 2
    receiver.port = 1
    assert "refused" in send_message(hook, payload, timeout_s=2).error.lower()


def test_service__asks_to_wait__is_left_alone_for_that_time(
    link: Link, receiver: Receiver, routed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    present = stop_present(monkeypatch)
    make_destination("slack", link)
    receiver.answers, receiver.headers = [429], {"Retry-After": "120"}
    raise_events(link, ("node.down", "blocker"))
    assert Delivery.objects.get().due_at == present + timedelta(seconds=120)


def test_service__never_accepts__given_up_with_an_event_that_no_destination_is_told_of(
    link: Link, receiver: Receiver, routed: list[str]
) -> None:
    make_destination("slack", None)
    receiver.answers = [500]
    raise_events(link, ("node.down", "blocker"))
    for _ in notifications.BACKOFF:
        Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
        assert notifications.deliver_due() == 1
    assert Delivery.objects.get().state == DeliveryState.FAILED
    event = Event.objects.get(data__kind="hook.failed")
    assert event.data["message"] == "The destination slack did not accept a call (node.down): answered 500."
    raise_events(link)
    assert Delivery.objects.count() == 1


def test_test__fails__is_not_repeated_and_raises_no_event(link: Link, receiver: Receiver, routed: list[str]) -> None:
    hook = make_destination("slack", link, enabled=False)
    receiver.answers = [500]
    store_test(hook, due_at=timezone.now())
    assert (notifications.deliver_due(), notifications.deliver_due()) == (1, 0)
    assert Delivery.objects.get().state == DeliveryState.FAILED
    assert not Event.objects.filter(data__kind="hook.failed").exists()


def test_apprise__calls_another_host_by_now__no_key_is_sent(
    link: Link, receiver: Receiver, routed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_destination("pagerduty", link)
    monkeypatch.setitem(pagerduty.PAGERDUTY_API_LOOKUP, "us", "https://events.pagerduty.example/v2/enqueue")
    raise_events(link, ("node.down", "blocker"))
    assert receiver.calls == []
    assert "another host than events.pagerduty.com" in Delivery.objects.get().error


def test_apprise__refuses_the_settings__neither_error_nor_log_quotes_them(
    link: Link, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    payload = store_test(make_destination("slack", link), due_at=None).payload
    with pytest.raises(ComposingError) as caught:
        compose(HookService.PAGERDUTY, {"key": KEY, "region": TOKEN}, message_of(payload))
    assert all(secret not in str(caught.value) + caplog.text for secret in SECRETS)


def test_apprise__writes_its_calls__logs_nothing_of_them(
    link: Link, receiver: Receiver, routed: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for service in CALLED:
        make_destination(service, link)
    raise_events(link, ("node.down", "blocker"))
    assert len(receiver.calls) == len(CALLED)
    assert all(secret not in caplog.text for secret in SECRETS)


def test_service__echoes_its_key__masked_in_what_is_stored(link: Link, receiver: Receiver, routed: list[str]) -> None:
    receiver.text = f"unknown key {KEY} at {SETTINGS['slack']['url']}"
    for service in CALLED:
        make_destination(service, link)
    raise_events(link, ("node.down", "blocker"))
    answers = {one.hook.service: one.answer for one in Delivery.objects.select_related("hook")}
    assert KEY not in answers["pagerduty"] + answers["opsgenie"]
    assert TOKEN not in answers["slack"] + answers["teams"]
    assert answers["pagerduty"].startswith("unknown key …")


def test_settings__at_rest__sealed_for_their_destination_alone(link: Link) -> None:
    one, other = make_destination("slack", link), make_destination("opsgenie", link)
    assert all(secret not in str(list(Hook.objects.values())) for secret in SECRETS)
    Hook.objects.filter(pk=one.pk).update(sealed=other.sealed)
    one.refresh_from_db()
    with pytest.raises(SealError):
        open_fields(one)
    assert "encrypted for another" in send_message(one, store_test(one, due_at=None).payload, timeout_s=1).error


def test_address__private_by_now__not_called(link: Link, receiver: Receiver, settings: Any) -> None:
    """The policy of webhooks, at each call: `hooks.slack.com` leads to this machine in no production."""
    settings.HAWSER_ALLOW_LOOPBACK = False
    hook = make_destination("pagerduty", link)
    reply = send_message(hook, store_test(hook, due_at=None).payload, timeout_s=2)
    assert (reply.status, receiver.calls) == (None, [])


def test_settings__resealed_with_a_new_key__still_open(link: Link, settings: Any) -> None:
    hook = make_destination("pagerduty", link)
    old, new = settings.HAWSER_CREDENTIALS_KEYS, Fernet.generate_key().decode()
    settings.HAWSER_CREDENTIALS_KEYS = [new, *old]
    Reseal().handle()
    settings.HAWSER_CREDENTIALS_KEYS = [new]
    hook.refresh_from_db()
    assert open_fields(hook)["key"] == KEY
