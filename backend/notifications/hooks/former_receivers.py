"""Who was told of protected changes until a while ago is still told of them, where and as it was.

Otherwise whoever asks for one could first silence those who would hear of it, one after the other. It holds for the
time for which protected changes wait.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from datetime import datetime
from typing import Any, Final

from backend.common.events.models import Event
from backend.common.sealing import SealError
from backend.identity.accounts import protected_changes
from backend.notifications.hooks.address import open_url
from backend.notifications.hooks.event_choice import matches
from backend.notifications.hooks.messages.sealed_fields import open_fields
from backend.notifications.hooks.models import Hook
from backend.notifications.hooks.signing import open_secret

TOLD: Final = ("protected_change.", "receiver.")
"""Beginnings of the kinds of which a former receiver is told: protected changes, and others that are silenced."""
_KEPT: Final = ("name", "sealed", "sealed_url", "timeout_s", "kinds", "min_severity")


def address_of(hook: Hook) -> tuple[str, ...]:
    """Everything that says where a receiver is, to be compared; sealed where it cannot be decrypted."""
    try:
        if hook.is_webhook:
            return open_url(hook), open_secret(hook.sealed, hook_id=hook.pk)
        return (json.dumps(open_fields(hook), sort_keys=True),)
    except SealError:
        return hook.sealed, hook.sealed_url


def remembered(before: Hook, now: datetime, event: Event) -> dict[str, Any]:
    """The columns of a receiver that is silenced now, as `event` tells: where it was joins where it was before.

    What it was to be told before that event is not counted: that was stored when it was silenced.
    """
    until = protected_changes.effective_at(now)
    if not before.is_told or until <= now:
        return {}
    mine = {name: getattr(before, name) for name in _KEPT}
    others = [one for one in before.formers or () if not _is_over(one, now)]
    if not any(mine.items() <= one.items() for one in others):
        others.append(mine | {"since": event.pk, "until": until.isoformat()})
    for one in others:
        if address_of(as_it_was(before, one)) == address_of(before):
            one["until"] = until.isoformat()
    return {"formers": others, "former_until": until}


def as_it_was(hook: Hook, former: Mapping[str, Any]) -> Hook:
    """The receiver where and as it was."""
    was = copy(hook)
    was.enabled, was.name = True, former["name"]
    was.sealed, was.sealed_url, was.timeout_s = former["sealed"], former["sealed_url"], former["timeout_s"]
    was.kinds, was.min_severity = former["kinds"], former["min_severity"]
    return was


def missed(hook: Hook, events: Sequence[Event], now: datetime) -> Iterator[tuple[Event, dict[str, Any]]]:
    """The events of which a receiver is to be told where it was, each with the first of its rows for that place.

    None where it is told of it all the same, there and with as much time for its answer.
    """
    formers = [one for one in hook.formers or () if not _is_over(one, now)]
    for event in (one for one in events if formers and one.data["kind"].startswith(TOLD)):
        is_told, places = hook.is_told and matches(hook, event), set()
        for former in formers:
            was = as_it_was(hook, former)
            place = address_of(was)
            is_told_there = is_told and place == address_of(hook) and hook.timeout_s >= was.timeout_s
            if event.pk > former["since"] and matches(was, event) and not is_told_there and place not in places:
                places.add(place)
                yield event, former


def _is_over(former: dict[str, Any], now: datetime) -> bool:
    return datetime.fromisoformat(former["until"]) <= now
