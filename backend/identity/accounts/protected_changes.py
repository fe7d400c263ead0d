"""Changes by which one administrator could act as two persons. They wait for a second administrator or for some time.

The owner of the changed object registers what a kind of change does when it takes effect or is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, forbidden, not_found
from backend.common.events import services as events
from backend.common.roles import Permission, may
from backend.identity.accounts.acting import acting_user, has_account
from backend.identity.accounts.installation import is_installation
from backend.identity.accounts.models import ChangeState, ProtectedChange, User
from backend.identity.accounts.persons import are_one_person
from backend.identity.accounts.second_person import (
    names_behind,
    why_asked_for,
    why_behind,
    why_not_second_person,
    why_own_password,
)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Handler:
    """What happens to the target of a change when the change takes effect and when it is rejected.

    `apply` raises ProblemError while something else keeps the change: it stays waiting. So does `check_rejection`,
    which is given who rejects it as well. `ends_account`: rejecting disables the target; what that user requested and
    still waits is rejected with it. `permission`: what the requester needs, on the target where that is a link.
    `name_of`: what the target is called now.
    """

    apply: Callable[[str], None]
    reject: Callable[[str], None]
    permission: Permission
    name_of: Callable[[str], str] = lambda target: target
    check_rejection: Callable[[str, str], None] = lambda actor, target: None
    ends_account: bool = False


_HANDLERS: Final[dict[str, Handler]] = {}


def register(kinds: Mapping[str, Handler]) -> None:
    """Register the handlers of these kinds; called once when the application is ready."""
    _HANDLERS.update(kinds)


def effective_at(now: datetime) -> datetime:
    """When a change requested now takes effect automatically. During installation that is at once."""
    if is_installation():
        return now
    return now + timedelta(hours=settings.HAWSER_SECOND_PERSON_WAIT_H)


def announce(*, kind: str, target: str, summary: str, actor: str, at: datetime) -> ProtectedChange | None:
    """Hold a change back until `at` and announce it as a warning; None if it takes effect now.

    An earlier change of the same kind and target is replaced, and its time starts again. Who asked for that one stays
    behind this one: nobody has confirmed it. A change that takes effect at once is announced as well, except during
    installation.
    """
    now = timezone.now()
    if at <= now and is_installation():
        return None
    replaced = waiting().filter(kind=kind, target=target)
    earlier = list(replaced)
    behind = {*names_behind([actor]), *(name for one in earlier for name in one.askers)} - {actor}
    replaced.update(state=ChangeState.REJECTED.value, decided_at=now)
    change = ProtectedChange(
        kind=kind,
        target=target,
        target_name=_HANDLERS[kind].name_of(target),
        summary=summary,
        requested_by=actor,
        people_behind=sorted(behind),
        earlier_tokens=sorted({token for one in earlier for token in one.tokens}),
        requested_at=now,
        effective_at=at,
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
    """Withdraw a change before it takes effect; anyone with the permission can do that."""
    for change in waiting().filter(kind=kind, target=target):
        reject(actor=actor, change=change, comment="withdrawn")


def waiting(readable: Collection[str] | None = None) -> QuerySet[ProtectedChange]:
    """Undecided changes, the next one to take effect first; with `readable` only those of these links."""
    rows = ProtectedChange.objects.filter(state=ChangeState.WAITING.value).order_by("effective_at", "id")
    return rows if readable is None else rows.filter(target__in=list(readable))


def change_get(change_id: str) -> ProtectedChange:
    """One change; 404 if it does not exist."""
    change = ProtectedChange.objects.filter(pk=change_id).first()
    if change is None:
        raise not_found("protected change")
    return change


def why_not_confirm(change: ProtectedChange, user: User) -> ProblemError | None:
    """Why this user cannot be the second administrator of this change; None if the user can."""
    if change.state != ChangeState.WAITING:
        return conflict(
            "not_waiting", f"The change is no longer waiting; its state is {change.state}. Nothing was changed."
        )
    if not may(user.acting_role, Permission.USERS):
        return forbidden("not_permitted", "Only an administrator can confirm this change. The change is still waiting.")
    if are_one_person(change.target, user.username):
        return forbidden(
            "own_change", "This change is about your account. Another administrator must confirm the change."
        )
    own = forbidden("own_change", "You requested this change. Another administrator must confirm the change.")
    return (
        why_behind(user, change.people_behind or ())
        or why_asked_for(user, change.askers, own=own)
        or why_own_password(user, change.target)
        or why_not_second_person(user, since=change.requested_at)
    )


def why_fallen(change: ProtectedChange) -> ProblemError | None:
    """Why a change that waits cannot take effect any more; None if it can.

    Who requested it may not do it any more, or did so with a token that has ended; or its target is called otherwise
    than it was, so that whoever reads the request may take it for another one.
    """
    handler, asker = _HANDLERS[change.kind], change.requested_by
    user = acting_user(asker, change.token_id)
    if has_account(asker) and (user is None or handler.permission not in user.privileges().on_link(change.target)):
        return conflict(
            "requester_not_permitted",
            f"{asker} is no longer permitted to request this, or the token of the request has ended. Nothing was "
            "changed. Have a user who is permitted request it anew.",
        )
    name = handler.name_of(change.target)
    if change.target_name in ("", name):
        return None
    return conflict(
        "target_renamed",
        f"What was called {change.target_name} when this was requested is now called {name}. Nothing was changed. "
        "Request it anew.",
    )


@transaction.atomic
def confirm(*, user: User, change: ProtectedChange, comment: str) -> ProtectedChange:
    """Confirm as the second administrator: the change takes effect at once."""
    change = _locked(change)
    problem = why_not_confirm(change, user) or why_fallen(change)
    if problem is not None:
        raise problem
    _decide(change, ChangeState.CONFIRMED, user.username, comment)
    _HANDLERS[change.kind].apply(change.target)
    _notify(change, user.username, "confirmed", f"{user.username} confirmed: {change.summary}")
    return change


def reject(*, actor: str, change: ProtectedChange, comment: str) -> ProtectedChange:
    """Reject as any administrator, also as the one who requested the change."""
    return _reject(change, actor, comment, decided_by=actor)


def fall(change: ProtectedChange, why: str) -> ProtectedChange:
    """Withdraw a change that cannot take effect any more. As if its requester did so: that one may have caused it."""
    return _reject(change, change.requested_by, why, decided_by="")


@transaction.atomic
def _reject(row: ProtectedChange, actor: str, comment: str, *, decided_by: str) -> ProtectedChange:
    change = _locked(row)
    if change.state != ChangeState.WAITING:
        raise conflict(
            "not_waiting", f"The change is no longer waiting; its state is {change.state}. Nothing was changed."
        )
    _HANDLERS[change.kind].check_rejection(actor, change.target)
    _decide(change, ChangeState.REJECTED, decided_by, comment)
    _HANDLERS[change.kind].reject(change.target)
    told = f"{decided_by} rejected" if decided_by else f"{comment} Withdrawn"
    _notify(change, actor, "rejected" if decided_by else "withdrawn", f"{told}: {change.summary}")
    if _HANDLERS[change.kind].ends_account:
        # One at a time: rejecting one can reject the next as well, where accounts asked for each other.
        while (requested := waiting().filter(requested_by=change.target).first()) is not None:
            reject(actor=actor, change=requested, comment=f"requested by {change.target}, whose account was rejected")
    return change


def tell_not_withdrawn(change: ProtectedChange, actor: str, why: str, problem: ProblemError) -> None:
    """Tell once that the change still waits although it was to be withdrawn; the list of what waits shows it, too."""
    comment = f"{why} Still waiting: {problem.detail}"
    if change.comment != comment:
        change.comment = comment
        change.save(update_fields=["comment"])
        _notify(change, actor, "not_withdrawn", f"{comment} {change.summary}")


def apply_due() -> int:
    """Apply the changes whose waiting time is over; returns their number. The monitor calls it every few seconds."""
    due = list(waiting().filter(effective_at__lte=timezone.now()))
    for row in due:
        try:
            _apply(row)
        except ProblemError as problem:  # it waits: what keeps it will end, and the other changes are due as well
            log.info("protected_change.held", change=row.pk, kind=row.kind, code=problem.code)
    return len(due)


@transaction.atomic
def _apply(row: ProtectedChange) -> None:
    change = _locked(row)
    if change.state == ChangeState.WAITING:
        if (problem := why_fallen(change)) is not None:
            raise problem
        _decide(change, ChangeState.EFFECTIVE, "", "")
        _HANDLERS[change.kind].apply(change.target)
        _notify(change, change.requested_by, "effective", f"In effect after its waiting time: {change.summary}")


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
