"""Administrators can object to a protected change while it waits; whoever asked for it cannot remove them meanwhile."""

from __future__ import annotations

from backend.common.errors import conflict
from backend.common.roles import Role
from backend.identity.accounts import protected_changes
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.persons import are_one_person, is_unknown
from backend.identity.accounts.second_person import who_may_act_as


def check_change(actor: str, before: User, after: User, *, has_password: bool) -> None:
    """Refuse a change of an account that would demote it or shut its user out, as `check_removal` does."""
    if after.role != Role.ADMIN or not after.is_active or has_password:
        check_removal(actor, before)


def check_removal(actor: str, user: User) -> None:
    """Refuse to demote or shut out this user while a protected change waits to which the user could object.

    `user` is as stored. A change about the user's own account, or requested by the user, is not counted: there the user
    is no objector.
    """
    if user.role != Role.ADMIN or not user.is_active or are_one_person(actor, user.username):
        return
    actors = [actor, *who_may_act_as(actor)]
    for change in protected_changes.waiting():
        concerned = (change.target, change.requested_by)
        if _may_be_of(change, actors) and not any(are_one_person(name, user.username) for name in concerned):
            raise conflict(
                "own_change_waits",
                f"{user.username} could object to a protected change that you requested and that still waits: "
                f"{change.summary} Nothing was changed. Have another administrator confirm or reject it, reject it "
                "yourself, or have another administrator change this account.",
                change=change.id,
            )


def _may_be_of(change: ProtectedChange, actors: list[str]) -> bool:
    """Whether one of the actors requested the change, or may act as who did; an unknown user of the shell may be
    anybody."""
    askers = [*change.askers, *who_may_act_as(change.requested_by)]
    if any(map(is_unknown, (*askers, *actors))):
        return True
    return any(are_one_person(asker, actor) for asker in askers for actor in actors)
