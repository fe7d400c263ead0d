"""Webhooks as steps of a run: called once, with what the plan says, under one key; old calls are forgotten."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.db import connection
from django.utils import timezone

from backend.clusters.management.commands.hawser_reseal import Command as Reseal
from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.common.sealing import SealError
from backend.core.hooks import HookPhase
from backend.core.plans.builders.hook_steps import with_hooks
from backend.notifications.hooks import dispatch
from backend.notifications.hooks.address import address_digest, open_url
from backend.notifications.hooks.delivery import RunCall, call_for_run
from backend.notifications.hooks.models import Delivery, DeliveryState, Hook
from backend.notifications.hooks.selectors import planned_hooks
from backend.notifications.hooks.services import hook_update
from backend.notifications.hooks.signing import open_secret
from backend.operations.runs.execution.claim import StaleEpochError
from backend.operations.runs.execution.console import RunConsole
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Run
from backend.operations.runs.services import run_start
from tests.support.console import confirmation, core_plan, store_plan
from tests.support.webhook_receiver import Receiver
from tests.support.webhooks import SECRET, make_hook


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
            "params": {
                "phase": phase,
                "timeout_s": hook.timeout_s,
                "name": hook.name,
                "blocking": True,
                "address_digest": address_digest(hook),
            },
        },
    }
    return RunCall(**(given | changes))


def test_call__taken__not_made_again_under_the_same_key(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    first = call_for_run(hook.id, "r_1:1", run_call(hook))
    second = call_for_run(hook.id, "r_1:1", run_call(hook))
    assert (first.is_ok, second.is_ok) == (True, True)
    assert "not called again" in second.sentence
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
    assert "was disabled" in before.sentence
    assert "was disabled" in after.sentence
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
    assert open_url(hook) == receiver.url


def test_url__at_rest__sealed_for_its_webhook_alone(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver, url=f"{receiver.url}&key=to.ken")
    other = make_hook(link, receiver, name="other")
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM hooks_hook")
        stored = str(cursor.fetchall())
    assert "to.ken" not in stored  # nothing sealed contains a dot
    assert "127.0.0.1" not in stored
    other.sealed_url = hook.sealed_url
    with pytest.raises(SealError):
        open_url(other)


def test_call__address_changed_since_the_plan__before_is_not_called(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    planned, done = run_call(hook), run_call(hook, "after")
    hook = hook_update(actor="test", hook=hook, url=f"{receiver.url}&elsewhere=1")
    answer = call_for_run(hook.id, "r_1:1", planned)
    assert not answer.is_ok
    assert "was changed after the plan was created" in answer.sentence
    assert receiver.calls == []
    assert call_for_run(hook.id, "r_1:9", done).is_ok
    without = run_call(hook)
    del without.step["params"]["address_digest"]  # type: ignore[attr-defined]
    assert not call_for_run(hook.id, "r_1:2", without).is_ok
    assert len(receiver.calls) == 1


def test_call__in_a_worker_which_has_no_secret_key__made(link: Link, receiver: Receiver, settings: Any) -> None:
    hook = make_hook(link, receiver)
    planned = run_call(hook)
    settings.SECRET_KEY = ""
    assert call_for_run(hook.id, "r_1:1", planned).is_ok


def test_call__credentials_key_replaced_since_the_plan__made(link: Link, receiver: Receiver, settings: Any) -> None:
    hook = make_hook(link, receiver)
    planned = run_call(hook)
    settings.HAWSER_CREDENTIALS_KEYS = [Fernet.generate_key().decode(), *settings.HAWSER_CREDENTIALS_KEYS]
    assert call_for_run(hook.id, "r_1:1", planned).is_ok


def test_call__address_changed_after_it_was_taken__is_no_matter(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    planned = run_call(hook)
    assert call_for_run(hook.id, "r_1:1", planned).is_ok
    hook = hook_update(actor="test", hook=hook, url=f"{receiver.url}&elsewhere=1")
    assert call_for_run(hook.id, "r_1:1", planned).is_ok
    assert len(receiver.calls) == 1


def test_plan__webhook_before_it__carries_the_digest_of_its_address_and_not_the_address(
    link: Link, receiver: Receiver
) -> None:
    hook = make_hook(link, receiver)
    plan = with_hooks(core_plan(link), planned_hooks(link.id, "relocate"))
    [params] = [step.params for step in plan.steps if step.code == "hook"]
    assert params["address_digest"] == address_digest(hook)
    assert receiver.url not in str(plan)


def hooked_run(link: Link, hook: Hook) -> Run:
    """A run whose plan calls the webhook, claimable."""
    plan = store_plan(link, with_hooks(core_plan(link), planned_hooks(link.id, "relocate")))
    return run_start(actor="break-glass nora", plan=plan, **confirmation(plan))


def test_console__step_of_a_run__calls_with_what_the_plan_says(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    run = hooked_run(link, hook)
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
    slept = RunStore(run.id, "worker-1")
    slept.claim(15)
    Run.objects.update(lease_until=None)
    RunStore(run.id, "worker-2").claim(15)
    with pytest.raises(StaleEpochError):
        RunConsole(slept, link.id).call_hook(hook.id, f"{run.id}:0")
    assert receiver.calls == []


def test_sweep__old_calls__are_forgotten(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    call_for_run(hook.id, "r_1:1", run_call(hook))
    Delivery.objects.update(created_at=timezone.now() - dispatch.KEEP - timedelta(days=1))
    dispatch.sweep()
    assert not Delivery.objects.exists()


def test_payload__plain_json__nothing_of_the_secret(link: Link, receiver: Receiver) -> None:
    hook = make_hook(link, receiver)
    call_for_run(hook.id, "r_1:1", run_call(hook))
    assert SECRET not in json.dumps(receiver.calls[0].json) + str(receiver.calls[0].headers)
