"""The fields of a destination: sealed like a password, opened for a call, and shown without what is secret."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from backend.common.sealing import SealError, seal, unseal
from backend.core.hooks import HookService
from backend.core.plural import pluralize
from backend.notifications.hooks.messages.addresses import api_host
from backend.notifications.hooks.messages.fields import SECRET_FIELDS
from backend.notifications.hooks.models import Hook

_ROLE = "destination"
"""The purpose under which the fields are encrypted for a destination's id; nothing else can decrypt them."""
MASK = "…"
_TELLING = 16
"""Shorter parts of a URL are words of its path."""


def seal_fields(fields: Mapping[str, Any], *, hook_id: str) -> str:
    """The fields, readable only with the console's key and only for this destination."""
    return seal(json.dumps(dict(fields)), cluster_id=hook_id, role=_ROLE)


def open_fields(hook: Hook) -> dict[str, Any]:
    """The fields; raises SealError."""
    opened: dict[str, Any] = json.loads(unseal(hook.sealed, cluster_id=hook.id, role=_ROLE))
    return opened


def shown_fields(hook: Hook) -> dict[str, Any]:
    """What an administrator is shown; empty if the fields cannot be decrypted."""
    try:
        fields = open_fields(hook)
    except SealError:
        return {}
    return {name: value for name, value in fields.items() if name not in SECRET_FIELDS}


def target_of(hook: Hook) -> str:
    """What every user is shown of where the destination leads."""
    try:
        fields = open_fields(hook)
    except SealError:
        return MASK
    if hook.service == HookService.EMAIL:
        return f"{pluralize(len(fields['recipients']), 'recipient')} by {fields['host']}"
    return api_host(HookService(hook.service), fields)


def without_secrets(text: str, fields: Mapping[str, Any]) -> str:
    """The text with every secret of the destination replaced, for example in what a receiver answered."""
    for name in SECRET_FIELDS:
        for secret in _parts(str(fields.get(name) or "")):
            text = text.replace(secret, MASK)
    return text


def _parts(secret: str) -> list[str]:
    """A secret, and the long parts of a URL, any of which would be enough to use it."""
    parts = [part for part in secret.replace("=", "/").replace("&", "/").split("/") if len(part) >= _TELLING]
    return [one for one in (secret, *parts) if one]
