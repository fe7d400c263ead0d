"""Changes that would let one administrator be two persons: held back until a second one agrees, or a while passes.

What a kind does when it takes effect or is rejected is registered by whoever owns what it changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from backend.accounts.models import ChangeState, ProtectedChange, User
from backend.accounts.persons import are_one_person, is_unknown
from backend.accounts.second_person import unknown_shell_user, why_not_second_person, why_own_account
from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, forbidden, not_found
from backend.common.events import services as events
from backend.common.roles import Permission, Role, may


@dataclass(frozen=True, slots=True)
class Handler:
    """What becomes of the target of a change where it takes effect, and where somebody said no."""

    apply: Callable[[str], None]
    reject: Callable[[str], None]


_HANDLERS: Final[dict[str, Handler]] = {}


def register(kinds: Mapping[str, Handler]) -> None:
    """Say what these kinds do; called once, where the app is ready."""
    _HANDLERS.update(kinds)


def effective_at(now: datetime) -> datetime:
    """When a change asked for now takes effect by itself. During installation that is at once.

    Installation lasts until the first administrator has used the console: until then there is nobody to protect
    against, and nobody to ask.
    """
    if is_installation():
        return now
    return now + timedelta(hours=settings.HAWSER_SECOND_PERSON_WAIT_H)


def is_installation() -> bool:
    """Whether no administrator has signed in or used a token yet."""
    admins = User.objects.filter(role=Role.ADMIN.value)
    used_token = admins.filter(tokens__last_used_at__isnull=False)
    return not admins.filter(last_login__isnull=False).exists() and not used_token.exists()


def announce(*, kind: str, target: str, summary: str, actor: str, at: datetime) -> ProtectedChange | None:
    """Hold a change back until `at`, told as a warning; None where that is now, and nothing has to wait.

    An earlier one of the same kind and target is replaced: its time begins anew. What takes effect at once is told all
    the same, but for those of the installation.
    """
    now = timezone.now()
    if at <= now and is_installation():
        return None
    waiting().filter(kind=kind, target=target).update(state=ChangeState.REJECTED.value, decided_at=now)
    change = ProtectedChange(
        kind=kind, target=target, summary=summary, requested_by=actor, requested_at=now, effective_at=at
    )
    if at <= now:
        change.state, change.decided_at = ChangeState.EFFECTIVE.value, now
    change.save(force_insert=True)
    if at <= now:
        _notify(change, actor, "effective", f"In effect at once: {summary}")
        return None
    _notify(change, actor, "announced", f"{summary} It takes effect at {at:%Y-%m-%d %H:%M} UTC.")
    return change


def withdraw(kind: str, target: str, actor: str) -> None:
    """Who asked for it, or anybody else with the right, takes it back before it takes effect."""
    for change in waiting().filter(kind=kind, target=target):
        reject(actor=actor, change=change, comment="withdrawn")


def waiting() -> QuerySet[ProtectedChange]:
    """Changes that nobody has decided yet, the next to take effect first."""
    return ProtectedChange.objects.filter(state=ChangeState.WAITING.value).order_by("effective_at", "id")


def change_get(change_id: str) -> ProtectedChange:
    """One change; 404 if there is none."""
    change = ProtectedChange.objects.filter(pk=change_id).first()
    if change is None:
        raise not_found("protected change")
    return change


def why_not_confirm(change: ProtectedChange, user: User) -> ProblemError | None:
    """Why this user may not be the second administrator of this change; None where he may."""
    if change.state != ChangeState.WAITING:
        return conflict("not_waiting", f"The change does not wait any more: {change.state}.")
    if not may(user.acting_role, Permission.USERS):
        return forbidden("not_permitted", "An administrator confirms this.")
    if are_one_person(change.requested_by, user.username):
        return forbidden("own_change", "Another administrator must confirm: you asked for this change yourself.")
    if are_one_person(change.target, user.username):
        return forbidden("own_change", "Another administrator must confirm: the change is about yourself.")
    if is_unknown(change.requested_by):
        return unknown_shell_user(change.requested_by)
    return why_own_account(user, change.requested_by) or why_not_second_person(user, since=change.requested_at)


@transaction.atomic
def confirm(*, user: User, change: ProtectedChange, comment: str) -> ProtectedChange:
    """A second administrator's yes: the change takes effect at once."""
    change = _locked(change)
    problem = why_not_confirm(change, user)
    if problem is not None:
        raise problem
    _decide(change, ChangeState.CONFIRMED, user.username, comment)
    _HANDLERS[change.kind].apply(change.target)
    _notify(change, user.username, "confirmed", f"{user.username} confirmed: {change.summary}")
    return change


@transaction.atomic
def reject(*, actor: str, change: ProtectedChange, comment: str) -> ProtectedChange:
    """Any administrator's no, the one's who asked for it too."""
    change = _locked(change)
    if change.state != ChangeState.WAITING:
        raise conflict("not_waiting", f"The change does not wait any more: {change.state}.")
    _decide(change, ChangeState.REJECTED, actor, comment)
    _HANDLERS[change.kind].reject(change.target)
    _notify(change, actor, "rejected", f"{actor} rejected: {change.summary}")
    return change


def apply_due() -> int:
    """Let what has waited its time take effect; how many. The monitor calls it every few seconds."""
    due = list(waiting().filter(effective_at__lte=timezone.now()))
    for row in due:
        with transaction.atomic():
            change = _locked(row)
            if change.state == ChangeState.WAITING:
                _decide(change, ChangeState.EFFECTIVE, "", "")
                _HANDLERS[change.kind].apply(change.target)
                _notify(change, change.requested_by, "effective", f"In effect after its waiting time: {change.summary}")
    return len(due)


def _locked(change: ProtectedChange) -> ProtectedChange:
    return ProtectedChange.objects.select_for_update().get(pk=change.pk)


def _decide(change: ProtectedChange, state: ChangeState, actor: str, comment: str) -> None:
    change.state, change.decided_by, change.comment = state.value, actor, comment
    change.decided_at = timezone.now()
    change.save(update_fields=["state", "decided_by", "comment", "decided_at"])


def _notify(change: ProtectedChange, actor: str, what: str, message: str) -> None:
    link_id = change.target if change.target.startswith("l_") else ""
    events.raised(
        link_id=link_id, kind=f"protected_change.{what}", severity="warning", message=message[:500], actor=actor
    )
    audit.record(
        actor=actor,
        action=f"console:protected_change:{what}",
        link_id=link_id,
        target=change.target,
        reason=change.comment,
        facts={
            "change": change.id,
            "kind": change.kind,
            "summary": change.summary,
            "effective_at": change.effective_at,
        },
    )
