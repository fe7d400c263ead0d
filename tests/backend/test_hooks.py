"""Webhooks from inside: called once, bounded in time, tried again, kept from where they must not lead."""

from __future__ import annotations

import ipaddress
import json
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.clusters.management.commands.hawser_reseal import Command as Reseal
from backend.clusters.models import Link
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.core.plans.hooks import HookPhase, with_hooks
from backend.hooks import notices, target
from backend.hooks.calls import RunCall, call_for_run
from backend.hooks.models import Delivery, DeliveryState, Hook
from backend.hooks.selectors import planned_hooks
from backend.hooks.services import hook_create, hook_update
from backend.hooks.signing import open_secret
from backend.hooks.wire import post
from backend.runs.console import RunConsole
from backend.runs.models import Run
from backend.runs.services import run_start
from backend.runs.store import RunStore, StaleEpochError
from tests.support.console import confirmation, core_plan, store_plan
from tests.support.receiver import Receiver, receiving

SECRET = "s" * 24


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Somebody to call."""
    with receiving() as found:
        yield found


def make_hook(link: Link, receiver: Receiver, **changes: Any) -> Hook:
    """A webhook of the link that leads to the receiver."""
    given: dict[str, Any] = {
        "name": "proxies",
        "url": receiver.url,
        "secret": SECRET,
        "phase": "before",
        "kinds": [],
        "blocking": True,
        "timeout_s": 5,
        "min_severity": "warning",
        "enabled": True,
    }
    return hook_create(actor="test", link=link, **(given | changes))


def run_call(hook: Hook, phase: str = "before", **changes: Any) -> RunCall:
    """The step of a run that calls it."""
    given: dict[str, Any] = {
        "link_id": hook.link_id,
        "run_id": "r_aaaaaaaaaaaa",
        "kind": "relocate",
        "plan_id": "p_aaaaaaaaaaaa",
        "digest": "d" * 64,
        "summary": "Move both channels",
        "step": {
            "index": 1,
            "title": "Call the webhook",
            "params": {"phase": phase, "timeout_s": hook.timeout_s, "name": hook.name, "blocking": True},
        },
    }
    return RunCall(**(given | changes))


# -- calls of runs


def test_call__taken__not_made_again_under_the_same_key(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    first = call_for_run(hook.id, "r_1:1", run_call(hook))
    again = call_for_run(hook.id, "r_1:1", run_call(hook))
    assert (first.is_ok, again.is_ok) == (True, True)
    assert "not called again" in again.sentence
    [call] = receiver.calls
    body = call.json
    assert (body["phase"], body["kind"], body["state"], body["run"]) == (
        "before",
        "relocate",
        "starting",
        "r_aaaaaaaaaaaa",
    )
    assert body["plan"] == {"id": "p_aaaaaaaaaaaa", "digest": "d" * 64}
    assert body["step"]["index"] == 1
    assert body["summary"] == "Move both channels"


def test_call__refused__made_again_with_the_same_key_and_body(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    receiver.answers = [503, 200]
    first = call_for_run(hook.id, "r_1:1", run_call(hook))
    second = call_for_run(hook.id, "r_1:1", run_call(hook))
    assert (first.is_ok, second.is_ok) == (False, True)
    assert "answered 503" in first.sentence
    one, two = receiver.calls
    assert one.headers["Hawser-Delivery"] == two.headers["Hawser-Delivery"] == "r_1:1"
    assert one.body == two.body
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.attempts) == (DeliveryState.DELIVERED, 2)
    assert Event.objects.filter(data__kind="hook.failed").count() == 1


def test_call__worker_died_before_the_answer_was_stored__made_again_under_the_same_key(
    link: Link, receiver: Receiver
) -> None:
    hook = make_hook(link, receiver)
    call_for_run(hook.id, "r_1:1", run_call(hook))
    Delivery.objects.update(state=DeliveryState.PENDING, status=None)
    assert call_for_run(hook.id, "r_1:1", run_call(hook)).is_ok
    assert [call.headers["Hawser-Delivery"] for call in receiver.calls] == ["r_1:1", "r_1:1"]


def test_call__switched_off_since__before_stops_after_is_noted(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    hook_update(actor="test", hook=hook, enabled=False)
    before = call_for_run(hook.id, "r_1:1", run_call(hook))
    after = call_for_run(hook.id, "r_1:9", run_call(hook, "after"))
    assert (before.is_ok, after.is_ok) == (False, True)
    assert "switched off" in before.sentence
    assert "switched off" in after.sentence
    assert receiver.calls == []


def test_call__hook_of_another_link__is_none_of_this_run(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    assert not call_for_run(hook.id, "r_1:1", run_call(hook, link_id="l_aaaaaaaaaaaa")).is_ok
    assert receiver.calls == []


def test_planned_hooks__by_kind_and_phase__enabled_ones_only(link: Link, receiver: Receiver) -> None:
    make_hook(link, receiver, name="all")
    make_hook(link, receiver, name="failovers", kinds=["failover"], phase="after")
    make_hook(link, receiver, name="off", enabled=False)
    make_hook(link, receiver, name="events", phase="event", blocking=False)
    assert [hook.name for hook in planned_hooks(link.id, "relocate")] == ["all"]
    assert [(hook.name, hook.phase) for hook in planned_hooks(link.id, "failover")] == [
        ("all", HookPhase.BEFORE),
        ("failovers", HookPhase.AFTER),
    ]


def test_secret__resealed_with_a_new_key__still_signs(link: Link, receiver: Receiver, settings: Any) -> None:
    from cryptography.fernet import Fernet

    hook = make_hook(link, receiver)
    old, new = settings.HAWSER_CREDENTIALS_KEYS, Fernet.generate_key().decode()
    settings.HAWSER_CREDENTIALS_KEYS = [new, *old]
    Reseal().handle()
    settings.HAWSER_CREDENTIALS_KEYS = [new]
    hook.refresh_from_db()
    assert open_secret(hook.sealed, hook_id=hook.id) == SECRET


def hooked_run(link: Link, hook: Hook) -> Run:
    """A run whose plan calls the webhook, claimable."""
    plan = store_plan(link, with_hooks(core_plan(link), planned_hooks(link.id, "relocate")))
    return run_start(actor="nora", plan=plan, **confirmation(plan))


def test_console__step_of_a_run__calls_with_what_the_plan_says(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    run = hooked_run(link, hook)
    Run.objects.update(requested_by="command line")
    store = RunStore(run.id, "worker-1")
    assert store.claim(15) == 1
    console = RunConsole(store, link.id)
    assert console.call_hook(hook.id, f"{run.id}:0").is_ok
    body = receiver.calls[0].json
    assert (body["run"], body["plan"]["id"], body["plan"]["digest"]) == (run.id, run.plan_id, run.plan.digest)
    assert body["step"] == {"index": 0, "title": "Call the webhook proxies (blocking, 5 s)"}
    assert Delivery.objects.get().run_id == run.id


def test_console__run_taken_over__the_worker_that_slept_calls_nobody(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    run = hooked_run(link, hook)
    Run.objects.update(requested_by="command line")
    slept = RunStore(run.id, "worker-1")
    slept.claim(15)
    Run.objects.update(lease_until=None)
    RunStore(run.id, "worker-2").claim(15)
    with pytest.raises(StaleEpochError):
        RunConsole(slept, link.id).call_hook(hook.id, f"{run.id}:0")
    assert receiver.calls == []


# -- the wire


def test_post__answer_too_late_or_dripping__ends_with_the_time(receiver: Receiver) -> None:
    for change in ({"delay_s": 30.0}, {"drip_s": 0.05}):
        for name, value in change.items():
            setattr(receiver, name, value)
        began = time.monotonic()
        reply = post(receiver.url, b"{}", {}, timeout_s=0.6)
        assert time.monotonic() - began < 10
        assert reply.status is None
        assert "no answer within 0.6 s" in reply.error
        receiver.delay_s = 0.0


def test_post__nobody_listens__is_an_answer() -> None:
    reply = post("http://127.0.0.1:1/x", b"{}", {}, timeout_s=2)
    assert (reply.status, reply.is_taken) == (None, False)
    assert "refused" in reply.error.lower()


def test_post__certificate_of_nobody_known__refused(receiver: Receiver) -> None:
    reply = post(receiver.url.replace("http://", "https://"), b"{}", {}, timeout_s=3)
    assert reply.status is None
    assert reply.error
    assert receiver.calls == []


def test_post__name_leads_to_a_refused_address_by_now__is_not_called(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name server's second answer: what was fine when it was stored is looked at again at each call."""
    monkeypatch.setattr(target, "resolve", lambda _: [ipaddress.ip_address("169.254.169.254")])
    reply = post(f"http://rebound.example:{receiver.port}/", b"{}", {}, timeout_s=3)
    assert "link-local" in reply.error
    mixed = [ipaddress.ip_address("127.0.0.1"), ipaddress.ip_address("fe80::1")]
    monkeypatch.setattr(target, "resolve", lambda _: mixed)
    assert "link-local" in post(f"http://rebound.example:{receiver.port}/", b"{}", {}, timeout_s=3).error
    assert receiver.calls == []


def test_post__name__connects_to_the_very_address_that_was_checked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [[ipaddress.ip_address("127.0.0.1")], [ipaddress.ip_address("169.254.169.254")]]
    monkeypatch.setattr(target, "resolve", lambda _: answers.pop(0))
    assert post(f"http://pinned.example:{receiver.port}/", b"{}", {}, timeout_s=3).is_taken
    assert receiver.calls[0].headers["Host"] == f"pinned.example:{receiver.port}"
    assert len(answers) == 1


def test_post__name_server_silent__ends_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "resolve", lambda _: time.sleep(3) or [])
    began = time.monotonic()
    assert "does not resolve" in post("http://slow.example/", b"{}", {}, timeout_s=0.3).error
    assert time.monotonic() - began < 2.5


def test_post__environment_names_a_proxy__is_not_used(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert post(receiver.url, b"{}", {}, timeout_s=3).is_taken


# -- notices of events


def raised(link: Link, kind: str, severity: str = "warning", *, age: timedelta = timedelta()) -> Event:
    """An event of the link."""
    event = events.raised(link_id=link.id, kind=kind, severity=severity, message=f"{kind} happened")
    Event.objects.filter(pk=event.pk).update(at=timezone.now() - age)
    return event


def notice_hook(link: Link, receiver: Receiver, **changes: Any) -> Hook:
    """A webhook that is told of events."""
    return make_hook(link, receiver, **({"phase": "event", "blocking": False} | changes))


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
        notices.sweep()
        notices.deliver_due()
    assert [call.json["kind"] for call in receiver.calls] == ["node.down", "run.failed"]
    body = receiver.calls[0].json
    assert (body["phase"], body["event"]["severity"], body["summary"]) == ("event", "blocker", "node.down happened")
    assert Delivery.objects.filter(state=DeliveryState.DELIVERED, due_at=None).count() == 2


def test_notice__all_news_asked_for__good_news_too(link: Link, receiver: Receiver) -> None:
    notice_hook(link, receiver, min_severity="info", kinds=["run."])
    for kind, severity in (("run.started", "info"), ("run.succeeded", "ok"), ("run.odd", "strange")):
        raised(link, kind, severity)
    notices.sweep()
    notices.deliver_due()
    assert [call.json["kind"] for call in receiver.calls] == ["run.started", "run.succeeded"]


def test_notice__events_of_another_link__are_not_told(link: Link, receiver: Receiver) -> None:
    notice_hook(link, receiver)
    events.raised(link_id="l_other", kind="node.down", severity="blocker", message="elsewhere")
    notices.sweep()
    assert notices.deliver_due() == 0


def test_notice__id_becomes_visible_late__is_still_told(link: Link, receiver: Receiver) -> None:
    """A transaction that began earlier commits later: its event has the smaller id."""
    hook = notice_hook(link, receiver)
    late = raised(link, "node.down")
    newer = raised(link, "run.failed")
    stored = dict(Event.objects.filter(pk=late.pk).values()[0])
    Event.objects.filter(pk=late.pk).delete()
    notices.note_events(Hook.objects.get(pk=hook.pk), timezone.now())
    Event.objects.create(**stored)
    notices.note_events(Hook.objects.get(pk=hook.pk), timezone.now())
    assert set(Delivery.objects.values_list("key", flat=True)) == {f"event:{late.pk}", f"event:{newer.pk}"}


def test_notice__settled__is_not_looked_at_again_and_a_day_old_one_wakes_nobody(link: Link, receiver: Receiver) -> None:
    hook = notice_hook(link, receiver)
    raised(link, "node.down", age=timedelta(hours=25))
    settled = raised(link, "node.down", age=timedelta(minutes=5))
    fresh = raised(link, "run.failed")
    notices.note_events(Hook.objects.get(pk=hook.pk), timezone.now())
    assert set(Delivery.objects.values_list("key", flat=True)) == {f"event:{settled.pk}", f"event:{fresh.pk}"}
    assert Hook.objects.get(pk=hook.pk).events_seen == settled.pk


def test_notice__receiver_down__waits_longer_each_time_holds_back_its_others_and_is_given_up_in_the_end(
    link: Link, receiver: Receiver
) -> None:
    notice_hook(link, receiver)
    receiver.answers = [500]
    raised(link, "node.down")
    raised(link, "run.failed")
    notices.sweep()
    waits = []
    for attempt in range(1, len(notices.WAITS) + 2):
        assert notices.deliver_due() == 1, "the second notice waits with the first"
        first = Delivery.objects.order_by("created_at", "id").first()
        assert first is not None
        assert first.attempts == attempt
        if first.due_at is not None and first.last_at is not None:
            waits.append(round((first.due_at - first.last_at).total_seconds()))
        soon = timezone.now() - timedelta(seconds=1)
        Delivery.objects.filter(pk=first.pk, due_at__isnull=False).update(due_at=soon)
    assert waits == [int(wait.total_seconds()) for wait in notices.WAITS]
    assert Delivery.objects.filter(state=DeliveryState.FAILED, due_at=None).count() == 1
    assert Event.objects.filter(data__kind="hook.failed").count() == 1
    receiver.answers = [200]
    Delivery.objects.filter(due_at__isnull=False).update(due_at=timezone.now() - timedelta(seconds=1))
    assert notices.deliver_due() == 1
    notices.sweep()
    assert not Delivery.objects.filter(kind="hook.failed").exists(), "webhooks are never told of webhooks"


def test_notice__worker_died_with_it__is_taken_up_by_the_next(link: Link, receiver: Receiver) -> None:
    notice_hook(link, receiver)
    raised(link, "node.down")
    notices.sweep()
    claimed = notices._claim()
    assert claimed is not None
    assert notices.deliver_due() == 0
    Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert notices.deliver_due() == 1
    assert Delivery.objects.get().state == DeliveryState.DELIVERED


def test_notice__switched_off_and_on__what_happened_meanwhile_is_not_told(link: Link, receiver: Receiver) -> None:
    hook = notice_hook(link, receiver)
    raised(link, "node.down")
    notices.sweep()
    hook = hook_update(actor="test", hook=hook, enabled=False)
    raised(link, "run.failed")
    notices.sweep()
    assert notices.deliver_due() == 0
    hook_update(actor="test", hook=hook, enabled=True)
    notices.sweep()
    assert notices.deliver_due() == 0
    raised(link, "link.broken", "blocker")
    notices.sweep()
    notices.deliver_due()
    assert [call.json["kind"] for call in receiver.calls] == ["link.broken"]


def test_sweep__old_calls__are_forgotten(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    call_for_run(hook.id, "r_1:1", run_call(hook))
    Delivery.objects.update(created_at=timezone.now() - notices.KEEP - timedelta(days=1))
    notices.sweep()
    assert not Delivery.objects.exists()


def test_payload__plain_json__nothing_of_the_secret(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    call_for_run(hook.id, "r_1:1", run_call(hook))
    assert SECRET not in json.dumps(receiver.calls[0].json) + str(receiver.calls[0].headers)
