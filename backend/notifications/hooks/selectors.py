"""Reads webhooks and their deliveries in the form in which they are shown."""

from __future__ import annotations

from functools import partial
from typing import Any

from backend.clusters.models import Link
from backend.common.errors import not_found
from backend.common.outgoing.url_policy import TargetError, parse
from backend.common.rest.pagination import page
from backend.common.sealing import SealError
from backend.core.hooks import HookPhase, HookService, PlannedHook
from backend.notifications.hooks.address import address_digest, open_url
from backend.notifications.hooks.models import Delivery, Hook

_PLAIN = ("id", "link_id", "name", "kinds", "phase", "blocking", "timeout_s", "min_severity", "enabled", "created_at")


def planned_hooks(link_id: str, kind: str) -> tuple[PlannedHook, ...]:
    """The webhooks that a plan of that kind calls, by name."""
    rows = Hook.objects.filter(link_id=link_id, enabled=True, phase__in=(HookPhase.BEFORE, HookPhase.AFTER))
    return tuple(
        PlannedHook(hook.id, hook.name, HookPhase(hook.phase), hook.blocking, hook.timeout_s, _digest(hook))
        for hook in rows.order_by("name")
        if not hook.kinds or kind in hook.kinds
    )


def _digest(hook: Hook) -> str:
    """Empty if the URL cannot be decrypted: the call is then refused with the reason."""
    try:
        return address_digest(hook)
    except SealError:
        return ""


def hook_get(hook_id: str) -> Hook:
    """One webhook; 404 if it does not exist."""
    hook = Hook.objects.select_related("link").filter(pk=hook_id, service=HookService.WEBHOOK.value).first()
    if hook is None:
        raise not_found("webhook")
    return hook


def hooks_of(link: Link, *, in_full: bool) -> list[dict[str, Any]]:
    """A link's webhooks by name."""
    return [hook_view(hook, in_full=in_full) for hook in link.hooks.filter(service=HookService.WEBHOOK.value)]


def hook_view(hook: Hook, *, in_full: bool) -> dict[str, Any]:
    """A webhook view; only users who may change it see more of the URL than its host."""
    last = Delivery.objects.filter(hook=hook).order_by("-created_at", "-id").first()
    return {
        **{name: getattr(hook, name) for name in _PLAIN},
        "url": _url(hook, in_full=in_full),
        "last_delivery": delivery_view(last, in_full=in_full) if last else None,
    }


def _url(hook: Hook, *, in_full: bool) -> str:
    try:
        url = open_url(hook)
    except SealError:
        return "…"
    return url if in_full else shown_url(url)


def shown_url(url: str) -> str:
    """Scheme and host: the rest of a URL is often a secret."""
    try:
        return parse(url).shown
    except TargetError:
        return "…"


def delivery_page(hook: Hook, *, cursor: str | None, limit: int, in_full: bool) -> dict[str, Any]:
    """Deliveries of a webhook, newest first."""
    rows = Delivery.objects.filter(hook=hook)
    shape = partial(delivery_view, in_full=in_full)
    return page(rows, order=("created_at", "id"), cursor=cursor, limit=limit, shape=shape)


def delivery_view(delivery: Delivery, *, in_full: bool) -> dict[str, Any]:
    """A delivery view; only users who may change the webhook see the receiver's response, which may be a secret."""
    names = ("id", "hook_id", "key", "phase", "kind", "payload", "state", "attempts", "status", "ms")
    more = ("error", "created_at", "last_at", "due_at")
    shown = {name: getattr(delivery, name) for name in (*names, *more)}
    return shown | {"run_id": delivery.run_id or None, "answer": delivery.answer if in_full else None}
