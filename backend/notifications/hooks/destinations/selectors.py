"""Reads destinations in the form in which they are shown."""

from __future__ import annotations

from typing import Any

from backend.common.errors import not_found
from backend.core.hooks import HookService
from backend.notifications.hooks.messages.sealed_fields import shown_fields, target_of
from backend.notifications.hooks.models import Delivery, Hook
from backend.notifications.hooks.selectors import delivery_view

DESTINATIONS = Hook.objects.exclude(service=HookService.WEBHOOK.value)
_SETTINGS = ("region", "host", "port", "security", "user", "sender", "recipients")
_PLAIN = ("id", "link_id", "name", "service", "kinds", "min_severity", "enabled", "created_at")


def destination_get(hook_id: str) -> Hook:
    """One destination; 404 if it does not exist."""
    hook = DESTINATIONS.select_related("link").filter(pk=hook_id).first()
    if hook is None:
        raise not_found("destination")
    return hook


def destinations(*, in_full: bool) -> list[dict[str, Any]]:
    """All destinations by name."""
    return [destination_view(hook, in_full=in_full) for hook in DESTINATIONS.select_related("link").order_by("name")]


def destination_view(hook: Hook, *, in_full: bool) -> dict[str, Any]:
    """A destination view; only users who may change it see its fields, and its secrets are never shown."""
    last = Delivery.objects.filter(hook=hook).order_by("-created_at", "-id").first()
    return {
        **{name: getattr(hook, name) for name in _PLAIN},
        "link_name": hook.link.name if hook.link else None,
        "target": target_of(hook),
        "settings": dict.fromkeys(_SETTINGS) | shown_fields(hook) if in_full else None,
        "last_delivery": delivery_view(last, in_full=in_full) if last else None,
    }
