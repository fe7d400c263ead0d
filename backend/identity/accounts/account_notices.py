"""Events that tell of a changed account, so that its user hears of a change that another person made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backend.common.events import services as events

REMEDY = "If this was not intended, end the sessions and tokens of the account and ask an administrator."


def password_changed(*, username: str, actor: str, factors: Sequence[str] = ()) -> None:
    """A new password was set; the event never holds it. `factors` stay: whoever registered one may still sign in."""
    by = "its user" if username == actor else actor
    kept = f" Second factors that stay: {', '.join(factors)}. Remove them if others may have them." if factors else ""
    message = f"The password of {username} was changed by {by}.{kept} {REMEDY}"
    events.raised(link_id="", kind="account.password_changed", severity="warning", message=message, actor=actor)


def account_changed(*, username: str, actor: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """The role or the state of an account changed; nothing is told where both are as before."""
    changes = []
    if before["role"] != after["role"]:
        changes.append(f"has the role {after['role']} instead of {before['role']}")
    if before["is_active"] != after["is_active"]:
        changes.append("can sign in again" if after["is_active"] else "cannot sign in any more")
    if changes:
        message = f"{username} {' and '.join(changes)}. The change was made by {actor}. {REMEDY}"
        events.raised(link_id="", kind="account.changed", severity="warning", message=message, actor=actor)
