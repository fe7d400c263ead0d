"""Creates, changes and deletes webhooks; every change is recorded in the audit log, without secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common import ids
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.outgoing.url_policy import check_url
from backend.core.hooks import HookPhase
from backend.core.plans.kinds import PLAN_KINDS
from backend.core.plural import pluralize
from backend.notifications.hooks.address import seal_url
from backend.notifications.hooks.delivery import call_for_test
from backend.notifications.hooks.models import Delivery, Hook
from backend.notifications.hooks.notifications import announce_change, delete_receiver, reset_cursor
from backend.notifications.hooks.selectors import hook_get, shown_url
from backend.notifications.hooks.signing import seal_secret

EVENT_KIND = re.compile(r"^[a-z_]+(\.[a-z_]*)?$")
_AT_MOST = 50


def hook_create(*, actor: str, link: Link, secret: str, **given: Any) -> Hook:
    """Create a webhook; its address is checked, and both address and secret are encrypted."""
    _check(given["phase"], given["kinds"], blocking=given["blocking"])
    check_url(given["url"], "url")
    if Hook.objects.filter(link=link).count() >= _AT_MOST:
        raise conflict(
            "too_many_hooks",
            f"The link has {pluralize(_AT_MOST, 'webhook')}, which is the limit. No "
            "webhook was created. Delete one first.",
        )
    hook_id = ids.hook_id()
    try:
        with transaction.atomic():
            stored = _sealed(hook_id, {**given, "secret": secret})
            hook = Hook.objects.create(id=hook_id, link=link, **stored)
            reset_cursor(hook)
            _record(actor, hook, "create", given)
    except IntegrityError as error:
        raise _taken(given["name"]) from error
    return hook_get(hook.id)


def _sealed(hook_id: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields to store: the secret and the URL encrypted."""
    stored = {name: value for name, value in given.items() if name not in ("secret", "url")}
    if "secret" in given:
        stored["sealed"] = seal_secret(given["secret"], hook_id=hook_id)
    if "url" in given:
        stored["sealed_url"] = seal_url(given["url"], hook_id=hook_id)
    return stored


def _taken(name: str) -> ProblemError:
    return conflict("hook_exists", f"This link already has a webhook named {name}. Choose another name.")


def _check(phase: str, kinds: Sequence[str], *, blocking: bool) -> None:
    if phase == HookPhase.EVENT:
        if blocking:
            raise invalid("blocking", "A notification of an event cannot block. Set blocking to false.")
        wrong = [kind for kind in kinds if not EVENT_KIND.match(kind)]
        remedy = "Use prefixes of event kinds, such as run. or node.down."
    else:
        wrong = [kind for kind in kinds if kind not in PLAN_KINDS]
        remedy = f"Use kinds of plans: {', '.join(PLAN_KINDS)}."
    if wrong:
        raise invalid("kinds", remedy)


def hook_update(*, actor: str, hook: Hook, **changes: Any) -> Hook:
    """Change the given fields; the others stay. What it is told less of is told to it and to the others."""
    merged = {name: changes.get(name, getattr(hook, name)) for name in ("phase", "kinds", "blocking")}
    _check(merged["phase"], merged["kinds"], blocking=merged["blocking"])
    if "url" in changes:
        check_url(changes["url"], "url")
    stored = _sealed(hook.id, changes)
    begins = changes.get("enabled", hook.enabled) and merged["phase"] == HookPhase.EVENT
    was_on = hook.enabled and hook.phase == HookPhase.EVENT
    try:
        with transaction.atomic():
            before = Hook.objects.select_for_update().get(pk=hook.pk)
            Hook.objects.filter(pk=hook.pk).update(**stored)
            announce_change(actor, before, hook_get(hook.pk))
            if begins and not was_on:
                reset_cursor(hook)
            _record(actor, hook, "update", changes)
    except IntegrityError as error:
        raise _taken(str(changes.get("name"))) from error
    return hook_get(hook.id)


@transaction.atomic
def hook_delete(*, actor: str, hook: Hook) -> None:
    """Delete the webhook with its deliveries; the others are told, and what it was not sent."""
    delete_receiver(actor, hook)
    _record(actor, hook, "delete", {"name": hook.name})


def hook_test(*, actor: str, hook: Hook) -> Delivery:
    """Call the webhook once, now; a refusal by the receiver is a result, not an error."""
    delivery = call_for_test(hook)
    facts = {"delivery": delivery.id, "state": delivery.state, "status": delivery.status, "error": delivery.error}
    _record(actor, hook, "test", facts)
    return delivery


def _record(actor: str, hook: Hook, what: str, facts: dict[str, Any]) -> None:
    shown = {name: value for name, value in facts.items() if name not in ("secret", "url")}
    if "secret" in facts:
        shown["signed_anew"] = True
    if "url" in facts:
        shown["receiver"] = shown_url(facts["url"])
    audit.record(actor=actor, action=f"api:hook:{what}", link_id=hook.link_id or "", target=hook.id, facts=shown)
