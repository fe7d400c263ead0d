"""Local passwords beside a provider: whether a local user may sign in, and the warning when one did."""

from __future__ import annotations

from django.conf import settings

from backend.audit import services as audit
from backend.common.errors import forbidden
from backend.common.events import services as events
from backend.identity.accounts.identities.selectors import identity_of
from backend.identity.accounts.models import User
from backend.identity.accounts.names import folded
from backend.identity.accounts.persons import BREAK_GLASS


def is_for_emergencies(user: User) -> bool:
    """Whether this is a local user while local sign-in is for emergencies only."""
    return settings.HAWSER_LOCAL_SIGN_IN == "break_glass" and identity_of(user) is None


def check(user: User) -> None:
    """Refuse a local user who is not listed while local sign-in is for emergencies only; call it after the password."""
    if not is_for_emergencies(user) or is_listed(user.username):
        return
    audit.record(actor=user.username, action="session:user:local_refused", target=user.username)
    raise forbidden(
        "local_sign_in_closed",
        "Local passwords are for emergencies only, and this user is not listed for them. You are not signed in. Sign "
        "in through your provider, or ask an administrator.",
    )


def check_passkey(user: User) -> None:
    """Refuse a passkey alone of a user who comes from a provider or directory, which would not be asked."""
    if identity_of(user) is not None:
        raise forbidden(
            "local_sign_in_closed",
            "This user comes from a provider or directory, and signs in there. You are not signed in.",
        )
    check(user)


def is_listed(username: str) -> bool:
    """Whether the user may sign in while no provider answers."""
    return folded(username) in {folded(name) for name in settings.HAWSER_BREAK_GLASS_USERS}


def is_break_glass(actor: str) -> bool:
    """Whether the actor is at the console's host, or a local user who is for emergencies only."""
    if actor.startswith(BREAK_GLASS):
        return True
    user = User.objects.filter(username=actor).first()
    return user is not None and is_for_emergencies(user)


def announce(user: User) -> None:
    """Warn all users of a sign-in with a local password while these are for emergencies only."""
    if not is_for_emergencies(user):
        return
    message = f"{user.username} signed in with a local password, which is for emergencies only."
    events.raised(link_id="", kind="sign_in.break_glass", severity="warning", message=message, actor=user.username)
    audit.record(actor=user.username, action="session:user:break_glass", target=user.username)
