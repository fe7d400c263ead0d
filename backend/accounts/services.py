"""Sign-in and users; every change and every failure is recorded in the audit log."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from backend.accounts import account_notices, known_browser, protected_changes, sign_ins, throttle
from backend.accounts.access import end_access
from backend.accounts.models import SignIn, User
from backend.accounts.names import skeleton
from backend.accounts.persons import are_one_person
from backend.accounts.session_store import stored_key
from backend.audit import services as audit
from backend.audit.aggregation import refusals
from backend.common.actors import ANONYMOUS, RESERVED
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.request_context import current
from backend.common.roles import Permission, Role, may

PERSON_KINDS = tuple(
    f"{who}_{what}" for who in ("approver", "operator") for what in ("added", "promoted", "enabled", "password_reset")
)
"""Changes after which the user who made them could act as a second person, or request runs, through the account."""


def session_open(*, request: HttpRequest, username: str, password: str) -> User:
    """Sign in. A wrong name and a wrong password get the same error."""
    attempt = _counted_attempt(request, username)
    try:
        attempt.wait()
        user = authenticate(request, username=username, password=password)
    except ProblemError:  # too many at once
        attempt.withdraw()
        raise
    if not isinstance(user, User):
        audit.record(actor=ANONYMOUS, action="session:user:sign_in_failed", target=username)
        raise ProblemError(401, "wrong_credentials", "The user name or the password is wrong. You are not signed in.")
    session_begin(request=request, user=user)
    attempt.succeed()
    return user


def session_begin(*, request: HttpRequest, user: User) -> None:
    """Begin the session of a user who was authenticated, by whatever means. It always gets a new key."""
    sign_ins.end_of_request(request)
    request.session.flush()
    login(request, user)
    sign_ins.begin(request, user)
    audit.record(actor=user.username, action="session:user:sign_in", target=user.username)


def _counted_attempt(request: HttpRequest, username: str) -> throttle.Attempt:
    browser_id = known_browser.browser_id(request, username)
    try:
        return throttle.count_attempt(username=username, source_ip=current.get().source_ip, browser_id=browser_id)
    except ProblemError:
        refusals.add(actor=ANONYMOUS, action="session:user:throttled", target=username)
        raise


def session_close(*, request: HttpRequest, user: User) -> None:
    """Sign out; the session ends on the server."""
    sign_ins.end_of_request(request)
    logout(request)
    audit.record(actor=user.username, action="session:user:sign_out", target=user.username)


def password_change(*, request: HttpRequest, user: User, current_password: str, new_password: str) -> None:
    """Change the caller's password; all other sessions and all tokens of the user end.

    The current password is throttled like a sign-in, so that a stolen session cannot be used to guess it.
    """
    attempt = _counted_attempt(request, user.username)
    if not user.check_password(current_password):
        audit.record(actor=user.username, action="api:user:password_refused", target=user.username)
        raise invalid(
            "current_password",
            "The current password is wrong. Your password is unchanged.",
            code="wrong_credentials",
            status=403,
        )
    attempt.succeed()
    _set_password(user, new_password, field="new_password")
    with transaction.atomic():
        user.save(update_fields=["password"])
        key = stored_key(request.session.session_key)
        ended = end_access(user, but_session_key=key)
        update_session_auth_hash(request, user)
        SignIn.objects.filter(session_key=key).update(session_key=stored_key(request.session.session_key))
        audit.record(actor=user.username, action="api:user:password_change", target=user.username, facts=ended)
        account_notices.password_changed(username=user.username, actor=user.username)


def user_create(*, actor: str, username: str, role: str, password: str | None, source: str = "api") -> User:
    """Create a user; without a password the user can use API tokens only.

    A user who may approve counts as a second person after a waiting time, or when a second administrator confirms it.
    Until then the creator of a user who may run plans cannot approve that user's runs.
    """
    _check_name(username)
    user = User(username=username, role=Role(role).value)
    _set_password(user, password)
    try:
        with transaction.atomic():
            user.save()
            _hold_back(user, actor, "added", "was added") if may(user.role, Permission.RUN) else None
            audit.record(actor=actor, action=f"{source}:user:create", target=username, facts={"role": user.role})
    except IntegrityError as error:
        raise conflict(
            "user_exists", f"A user named {username} already exists. No user was created. Choose another name."
        ) from error
    return user


def _check_name(username: str) -> None:
    if skeleton(username) in {skeleton(name) for name in RESERVED}:
        raise invalid(
            "username", f"Hawser itself acts under the name {username}. No user was created. Choose another name."
        )
    alike = User.objects.filter(name_skeleton=skeleton(username)).first()
    if alike is not None and alike.username != username:
        message = f"{username} can be mistaken for the user {alike.username}. No user was created. Choose another name."
        raise conflict("user_exists", message, errors=[{"field": "username", "message": message}])


@transaction.atomic
def user_update(*, actor: str, user: User, source: str = "api", **changes: Any) -> User:
    """Change `role`, `is_active`, `password` or `os_users`; the last active administrator keeps that role.

    A change that makes the user a second person is held back for a while. A new role, a new password and disabling
    the user end all sessions, tokens and streams of the user.
    """
    before = User.objects.get(pk=user.pk)
    if changes.get("role") is not None:
        user.role = Role(changes["role"]).value
    if changes.get("is_active") is not None:
        user.is_active = changes["is_active"]
    if changes.get("password"):
        _set_password(user, changes["password"])
    if changes.get("os_users") is not None:
        _map_os_users(actor, user, changes["os_users"])
    user.save()
    if not User.objects.filter(role=Role.ADMIN.value, is_active=True).exists() and source == "api":
        raise conflict(
            "last_administrator",
            "This is the last active administrator. The user is unchanged. Give another user the role admin first.",
        )
    for kind, action in _second_person_changes(actor, before, user, has_password=bool(changes.get("password"))):
        _hold_back(user, actor, kind, action)
    facts = {key: value for key, value in changes.items() if key != "password" and value is not None}
    if changes.get("password"):
        facts["password_changed"] = True
        throttle.unlock(user.username)
    if before.role != user.role or changes.get("password") or (before.is_active and not user.is_active):
        facts |= end_access(user)
    audit.record(actor=actor, action=f"{source}:user:update", target=user.username, facts=facts)
    _notify(actor, before, user, has_password=bool(changes.get("password")))
    return user


def _notify(actor: str, before: User, user: User, *, has_password: bool) -> None:
    """Tell of what changed, since the user may not have asked for it."""
    was, now = ({"role": each.role, "is_active": each.is_active} for each in (before, user))
    account_notices.account_changed(username=user.username, actor=actor, before=was, after=now)
    if has_password:
        account_notices.password_changed(username=user.username, actor=actor)


def _second_person_changes(actor: str, before: User, user: User, *, has_password: bool) -> list[tuple[str, str]]:
    """The changes after which the user who made them could act as another person through the account."""
    if not may(user.role, Permission.RUN):
        return []
    found = []
    if Role(user.role).rank > Role(before.role).rank:
        found.append(("promoted", f"was promoted from {before.role}"))
    if user.is_active and not before.is_active:
        found.append(("enabled", "was enabled again"))
    if has_password and not are_one_person(actor, user.username):
        found.append(("password_reset", "got a new password"))
    return found


def _hold_back(user: User, actor: str, what: str, action: str) -> None:
    """The account counts as another person only after the waiting time, or when a second administrator confirms it."""
    at = protected_changes.effective_at(timezone.now())
    who, purpose = "operator", f"to ask for runs that {actor} may approve"
    if may(user.role, Permission.APPROVE):
        User.objects.filter(pk=user.pk).update(second_person_from=at)
        user.second_person_from = at
        who, purpose = "approver", "to count as a second person"
    summary = f"{user.username} ({user.role}) {action} by {actor} and is {purpose}."
    protected_changes.announce(kind=f"{who}_{what}", target=user.username, summary=summary, actor=actor, at=at)


def _map_os_users(actor: str, user: User, names: list[str]) -> None:
    """Map accounts of the host to this user; a new one counts after the waiting time."""
    for other in User.objects.exclude(pk=user.pk):
        taken = set(names) & set(other.os_users)
        if taken:
            raise invalid("os_users", f"{min(taken)} is already mapped to {other.username}. Remove it there first.")
    at = protected_changes.effective_at(timezone.now())
    fresh = [name for name in names if name not in user.os_users]
    user.os_users = {name: user.os_users.get(name) or at.isoformat() for name in names}
    if fresh:
        listed = ", ".join(fresh)
        summary = f"{listed} on the console's host is to be mapped to {user.username}, requested by {actor}."
        protected_changes.announce(kind="os_user_mapped", target=user.username, summary=summary, actor=actor, at=at)


@transaction.atomic
def user_unlock(*, actor: str, user: User, source: str = "api") -> None:
    """Clear the failed sign-ins of a user, so that the user can try again at once."""
    throttle.unlock(user.username)
    audit.record(actor=actor, action=f"{source}:user:unlock", target=user.username)


def _set_password(user: User, password: str | None, *, field: str = "password") -> None:
    if password is None:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise invalid(field, " ".join(error.messages)) from error
    user.set_password(password)


def second_person_confirmed(username: str) -> None:
    """The account counts from now on, unless another change of it is still waiting."""
    user = User.objects.get(username=username)
    still_waiting = protected_changes.waiting().filter(target=username, kind__in=PERSON_KINDS)
    latest = max((change.effective_at for change in still_waiting), default=timezone.now())
    user.second_person_from = min(user.second_person_from, latest)
    user.save(update_fields=["second_person_from"])


def second_person_rejected(username: str) -> None:
    """Disable the account, so that the rejected change cannot be used."""
    user = User.objects.get(username=username)
    user.is_active = False
    user.save(update_fields=["is_active"])
    end_access(user)


def os_users_confirmed(username: str) -> None:
    """The mapped accounts of the host count from now on."""
    user, now = User.objects.get(username=username), timezone.now()
    user.os_users = {name: min(datetime.fromisoformat(since), now).isoformat() for name, since in user.os_users.items()}
    user.save(update_fields=["os_users"])


def os_users_rejected(username: str) -> None:
    """Remove mapped accounts that do not count yet."""
    user = User.objects.get(username=username)
    now = timezone.now()
    user.os_users = {name: since for name, since in user.os_users.items() if datetime.fromisoformat(since) <= now}
    user.save(update_fields=["os_users"])
