"""Creates, changes and deletes destinations; every change is recorded in the audit log, without secrets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction

from backend.audit import services as audit
from backend.clusters.models import Link
from backend.common import database_clock, ids
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.sealing import SealError
from backend.core.hooks import HookPhase, HookService
from backend.core.plural import pluralize
from backend.notifications.hooks.delivery import store_test
from backend.notifications.hooks.destinations.checks import complete
from backend.notifications.hooks.destinations.selectors import DESTINATIONS, destination_get
from backend.notifications.hooks.dispatch import dispatch
from backend.notifications.hooks.messages.sealed_fields import open_fields, seal_fields, target_of
from backend.notifications.hooks.models import Delivery, Hook
from backend.notifications.hooks.notifications import announce_change, delete_receiver, reset_cursor
from backend.notifications.hooks.services import EVENT_KIND

AT_MOST = 50
_TIMEOUT_S = {HookService.EMAIL: 30}
_DEFAULT_TIMEOUT_S = 10


def destination_create(
    *, actor: str, service: str, link: Link | None, settings: Mapping[str, Any], **given: Any
) -> Hook:
    """Create a destination; its address is checked, and its fields are encrypted."""
    kind = HookService(service)
    _check_kinds(given["kinds"])
    checked = complete(kind, settings, {})
    if DESTINATIONS.count() >= AT_MOST:
        raise conflict(
            "too_many_destinations",
            f"There are {pluralize(AT_MOST, 'destination')}, which is the limit. No destination was created. "
            "Delete one first.",
        )
    hook_id = ids.hook_id()
    timeout_s = _TIMEOUT_S.get(kind, _DEFAULT_TIMEOUT_S)
    stored = {**given, "sealed": seal_fields(checked, hook_id=hook_id), "timeout_s": timeout_s}
    try:
        with transaction.atomic():
            _check_name(given["name"], link)
            hook = Hook.objects.create(id=hook_id, link=link, service=kind.value, phase=HookPhase.EVENT.value, **stored)
            reset_cursor(hook)
            _record(actor, hook, "create", {**given, "service": kind.value}, settings)
    except IntegrityError as error:
        raise _taken(given["name"]) from error
    return destination_get(hook.id)


def destination_update(*, actor: str, hook: Hook, settings: Mapping[str, Any] | None = None, **changes: Any) -> Hook:
    """Change the given fields; the others stay. What it is told less of is told to it and to the others."""
    _check_kinds(changes.get("kinds", ()))
    stored = dict(changes)
    if settings:
        stored["sealed"] = seal_fields(complete(HookService(hook.service), settings, _stored(hook)), hook_id=hook.id)
    is_switched_on = changes.get("enabled", False) and not hook.enabled
    try:
        with transaction.atomic():
            if changes.get("name", hook.name) != hook.name:
                _check_name(changes["name"], hook.link)
            before = Hook.objects.select_for_update().get(pk=hook.pk)
            Hook.objects.filter(pk=hook.pk).update(**stored)
            if is_switched_on:
                reset_cursor(hook)
            changed = destination_get(hook.id)
            announce_change(actor, before, changed)
            _record(actor, changed, "update", changes, settings or {})
    except IntegrityError as error:
        raise _taken(str(changes.get("name"))) from error
    return changed


@transaction.atomic
def destination_delete(*, actor: str, hook: Hook) -> None:
    """Delete the destination with its deliveries; the others are told, and what it was not sent."""
    delete_receiver(actor, hook)
    _record(actor, hook, "delete", {"name": hook.name, "service": hook.service}, {})


@transaction.atomic
def destination_test(*, actor: str, hook: Hook) -> Delivery:
    """Have a worker send a test now; its outcome is stored in the delivery."""
    delivery = store_test(hook, due_at=database_clock.now())
    _record(actor, hook, "test", {"delivery": delivery.id}, {})
    transaction.on_commit(dispatch)
    return delivery


def _stored(hook: Hook) -> dict[str, Any]:
    """What is stored; nothing if it cannot be decrypted, so that all fields have to be given again."""
    try:
        return open_fields(hook)
    except SealError:
        return {}


def _check_kinds(kinds: Sequence[str]) -> None:
    if any(not EVENT_KIND.match(kind) for kind in kinds):
        raise invalid("kinds", "Use prefixes of event kinds, such as run. or node.down.")


def _check_name(name: str, link: Link | None) -> None:
    """The database refuses two equal names of one link; of destinations for all links it does not."""
    if link is None and Hook.objects.filter(link=None, name=name).exists():
        raise _taken(name)


def _taken(name: str) -> ProblemError:
    return conflict("destination_exists", f"Another destination or webhook is named {name}. Choose another name.")


def _record(actor: str, hook: Hook, what: str, facts: dict[str, Any], settings: Mapping[str, Any]) -> None:
    shown = {**facts, "receiver": target_of(hook)}
    if settings:
        shown["settings"] = sorted(settings)
    audit.record(actor=actor, action=f"api:destination:{what}", link_id=hook.link_id or "", target=hook.id, facts=shown)
