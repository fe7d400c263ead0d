"""Calls webhooks and destinations, and stores the outcome.

The row of a call is stored before it is sent, and its key is sent with it, so that the receiver can recognise a call
repeated after a crash. A call that was accepted is never made again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from backend.clusters.models import Link
from backend.common import ids
from backend.common.events import services as events
from backend.common.outgoing.http_client import Reply, post
from backend.common.row_redaction import redact_rows
from backend.common.sealing import SealError
from backend.core.hooks import HookPhase
from backend.core.ports import HookResponse
from backend.notifications.hooks.address import is_address_digest, open_url
from backend.notifications.hooks.messages.sending import send_message
from backend.notifications.hooks.models import Delivery, DeliveryState, Hook
from backend.notifications.hooks.signing import open_secret, signature

STARTING, VERIFIED = "starting", "verified"
"""The state of a run in a call: nothing sent yet, or everything done and verified."""


@dataclass(frozen=True, slots=True)
class RunCall:
    """The step of a run that calls a webhook."""

    link_id: str
    run_id: str
    kind: str
    plan_id: str
    digest: str
    summary: str
    step: Mapping[str, Any]

    @property
    def is_before(self) -> bool:
        """Whether nothing was sent to a server yet."""
        return bool(self.step["params"]["phase"] == HookPhase.BEFORE)


def call_for_run(hook_id: str, key: str, call: RunCall) -> HookResponse:
    """Call the webhook, or return the earlier response under this key."""
    hook = Hook.objects.filter(pk=hook_id, link_id=call.link_id, enabled=True).first()
    if hook is None:
        return _gone(call)
    if _leads_elsewhere(hook, key, call):
        return HookResponse(
            is_ok=False,
            sentence=(
                f"The address of the webhook {hook.name} was changed after the plan was created. "
                "It was not called. Create a new plan."
            ),
        )
    delivery, _ = Delivery.objects.get_or_create(
        hook=hook,
        key=key,
        defaults={
            "phase": call.step["params"]["phase"],
            "kind": call.kind,
            "run_id": call.run_id,
            "payload": _run_payload(hook, call),
        },
    )
    if delivery.state == DeliveryState.DELIVERED:
        return HookResponse(
            is_ok=True, sentence=(f"{hook.name} had already accepted the call ({delivery.status}); not called again.")
        )
    attempt(hook, delivery, timeout_s=float(call.step["params"]["timeout_s"]))
    answer = _answer(hook, delivery)
    if not answer.is_ok:
        raise_failed(hook, delivery, run_id=call.run_id)
    return answer


def _leads_elsewhere(hook: Hook, key: str, call: RunCall) -> bool:
    """Whether a call before a run would go to another address than was planned and approved.

    A call that was accepted is not made again, so its address no longer matters. A call after a run whose address was
    changed while it ran goes to the current one: stopping a completed run would undo nothing.
    """
    if not call.is_before or Delivery.objects.filter(hook=hook, key=key, state=DeliveryState.DELIVERED).exists():
        return False
    try:
        return not is_address_digest(str(call.step["params"].get("address_digest")), hook)
    except SealError:
        return False  # the call itself reports that the address cannot be decrypted


def _gone(call: RunCall) -> HookResponse:
    """The webhook was disabled since. Before a run this stops it, after a run it is only noted."""
    name = call.step["params"]["name"]
    if call.is_before:
        return HookResponse(
            is_ok=False, sentence=(f"The webhook {name} was disabled after the plan was created. Create a new plan.")
        )
    return HookResponse(
        is_ok=True, sentence=(f"The webhook {name} was disabled after the plan was created. It was not called.")
    )


def _answer(hook: Hook, delivery: Delivery) -> HookResponse:
    facts = {
        "delivery": delivery.id,
        "status": delivery.status,
        "ms": delivery.ms,
        "attempts": delivery.attempts,
    }
    if delivery.state == DeliveryState.DELIVERED:
        return HookResponse(
            is_ok=True,
            sentence=(f"{hook.name} accepted the call ({delivery.status}, {delivery.ms:.0f} ms)."),
            facts=facts,
        )
    return HookResponse(is_ok=False, sentence=f"{hook.name} did not accept the call: {delivery.error}.", facts=facts)


def call_for_test(hook: Hook) -> Delivery:
    """Call the webhook now, outside of any run."""
    delivery = store_test(hook, due_at=None)
    attempt(hook, delivery, timeout_s=hook.timeout_s)
    return delivery


def store_test(hook: Hook, *, due_at: datetime | None) -> Delivery:
    """A test call that is to be made; a worker makes it if it is due."""
    summary = "This is a test. Nothing happens."
    payload = _payload(hook, hook.link, HookPhase.TEST, kind="test", state="test", summary=summary)
    return Delivery.objects.create(
        hook=hook, key=ids.delivery_id(), phase=HookPhase.TEST.value, kind="test", payload=payload, due_at=due_at
    )


def attempt(hook: Hook, delivery: Delivery, *, timeout_s: float) -> Reply:
    """One HTTP call; the attempt is stored before it is made."""
    Delivery.objects.filter(pk=delivery.pk).update(attempts=F("attempts") + 1, last_at=timezone.now())
    delivery.refresh_from_db()
    reply = _send(hook, delivery, timeout_s)
    is_tried_again = delivery.due_at is not None
    unsettled = DeliveryState.PENDING if is_tried_again else DeliveryState.FAILED
    delivery.state = DeliveryState.DELIVERED if reply.is_taken else unsettled
    delivery.status, delivery.ms = reply.status, reply.ms
    delivery.answer, delivery.error = reply.answer, reply.error
    delivery.due_at = None if reply.is_taken else delivery.due_at
    delivery.save(update_fields=["state", "status", "ms", "answer", "error", "due_at"])
    return reply


def _send(hook: Hook, delivery: Delivery, timeout_s: float) -> Reply:
    if delivery.former is not None:
        hook = copy(hook)
        hook.sealed, hook.sealed_url = delivery.former["sealed"], delivery.former["sealed_url"]
    if not hook.is_webhook:
        return send_message(hook, delivery.payload, timeout_s=timeout_s)
    try:
        secret, url = open_secret(hook.sealed, hook_id=hook.id), open_url(hook)
    except SealError as error:
        return Reply(None, 0.0, error=str(error))
    body = json.dumps(delivery.payload, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"Hawser/{settings.HAWSER_VERSION}",
        "Hawser-Delivery": delivery.key,
        "Hawser-Signature": signature(secret, body, at_s=int(time.time())),
    }
    return post(url, body, headers, timeout_s=timeout_s)


def raise_failed(hook: Hook, delivery: Delivery, *, run_id: str = "") -> None:
    """Raise an event of a failed call. Webhooks do not receive it: two failing ones would call each other forever."""
    events.raised(
        link_id=hook.link_id or "",
        run_id=run_id,
        kind="hook.failed",
        severity="warning",
        message=f"The {hook.label} did not accept a call ({delivery.kind}): {delivery.error}.",
    )


def _run_payload(hook: Hook, call: RunCall) -> dict[str, Any]:
    shown = _payload(
        hook,
        hook.link,
        HookPhase(call.step["params"]["phase"]),
        kind=call.kind,
        state=STARTING if call.is_before else VERIFIED,
        summary=call.summary,
    )
    step = {"index": call.step["index"], "title": call.step["title"]}
    return shown | {"run": call.run_id, "plan": {"id": call.plan_id, "digest": call.digest}, "step": step}


def event_payload(
    hook: Hook, link: Link | None, *, event_id: int, at: str, data: Mapping[str, Any], link_state: str
) -> dict[str, Any]:
    """The body that reports an event."""
    shown = _payload(hook, link, HookPhase.EVENT, kind=data["kind"], state=link_state, summary=data["message"])
    event = {"id": event_id, "at": at, "severity": data["severity"], "actor": data["actor"]}
    event |= {"subject": data.get("subject")}
    return shown | {"run": data["run_id"], "event": event}


def _payload(hook: Hook, link: Link | None, phase: HookPhase, *, kind: str, state: str, summary: str) -> dict[str, Any]:
    return {
        "hook": {"id": hook.id, "name": hook.name},
        "phase": phase.value,
        "kind": kind,
        "link": {"id": link.pk, "name": link.name} if link else {"id": None, "name": None},
        "run": None,
        "plan": None,
        "step": None,
        "event": None,
        "state": state,
        "summary": redact_rows(summary),  # whether its readers may look up rows is unknown
        "time": timezone.now().isoformat().replace("+00:00", "Z"),
    }
