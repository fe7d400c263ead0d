"""Sign-in, users and tokens; every change and every failure is recorded."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from backend.accounts import known_browser, throttle
from backend.accounts.models import ApiToken, User
from backend.accounts.tokens import digest_of, new_secret
from backend.audit import services as audit
from backend.audit.aggregation import refusals
from backend.common.actors import ANONYMOUS, RESERVED
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.request_context import current
from backend.common.roles import Role, lesser


def session_open(*, request: HttpRequest, username: str, password: str) -> User:
    """Sign in; a wrong name and a wrong password look the same."""
    attempt = _counted_attempt(request, username)
    try:
        attempt.wait()
        user = authenticate(request, username=username, password=password)
    except ProblemError:  # too many at once
        attempt.withdraw()
        raise
    if not isinstance(user, User):
        audit.record(actor=ANONYMOUS, action="session:user:sign_in_failed", target=username)
        raise ProblemError(401, "wrong_credentials", "User name or password is wrong.")
    login(request, user)
    attempt.succeed()
    audit.record(actor=user.username, action="session:user:sign_in", target=user.username)
    return user


def _counted_attempt(request: HttpRequest, username: str) -> throttle.Attempt:
    browser_id = known_browser.browser_id(request, username)
    try:
        return throttle.count_attempt(username=username, source_ip=current.get().source_ip, browser_id=browser_id)
    except ProblemError:
        refusals.add(actor=ANONYMOUS, action="session:user:throttled", target=username)
        raise


def session_close(*, request: HttpRequest, user: User) -> None:
    """Sign out; the session dies on the server."""
    logout(request)
    audit.record(actor=user.username, action="session:user:sign_out", target=user.username)


def user_create(*, actor: str, username: str, role: str, password: str | None, source: str = "api") -> User:
    """A new user; without a password it can act through tokens only."""
    if username in RESERVED:
        raise invalid("username", f"The console itself acts as {username}; choose another name.")
    user = User(username=username, role=Role(role).value)
    _set_password(user, password)
    try:
        with transaction.atomic():
            user.save()
            audit.record(actor=actor, action=f"{source}:user:create", target=username, facts={"role": user.role})
    except IntegrityError as error:
        raise conflict("user_exists", f"There is a user named {username} already.") from error
    return user


@transaction.atomic
def user_update(*, actor: str, user: User, source: str = "api", **changes: Any) -> User:
    """Change `role`, `is_active` or `password`; the last active administrator stays one."""
    if changes.get("role") is not None:
        user.role = Role(changes["role"]).value
    if changes.get("is_active") is not None:
        user.is_active = changes["is_active"]
    if changes.get("password"):
        _set_password(user, changes["password"])
    user.save()
    if not User.objects.filter(role=Role.ADMIN.value, is_active=True).exists() and source == "api":
        raise conflict("last_administrator", "This is the last active administrator; appoint another first.")
    facts = {key: value for key, value in changes.items() if key != "password" and value is not None}
    if changes.get("password"):
        facts["password_changed"] = True
        throttle.unlock(user.username)
    audit.record(actor=actor, action=f"{source}:user:update", target=user.username, facts=facts)
    return user


@transaction.atomic
def user_unlock(*, actor: str, user: User, source: str = "api") -> None:
    """Forget the failed sign-ins of a user, so that it may try again at once."""
    throttle.unlock(user.username)
    audit.record(actor=actor, action=f"{source}:user:unlock", target=user.username)


def _set_password(user: User, password: str | None) -> None:
    if password is None:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise invalid("password", " ".join(error.messages)) from error
    user.set_password(password)


@transaction.atomic
def token_create(
    *, owner: User, label: str, role: str | None, expires_days: int | None, actor: str, source: str = "api"
) -> tuple[ApiToken, str]:
    """A token and its secret, which is shown this once; never mightier than who makes it."""
    granted = lesser(owner.acting_role, role or owner.acting_role)
    if role and granted != Role(role):
        raise invalid("role", f"A token of yours can be at most {owner.acting_role.value}.")
    secret = new_secret()
    expires_at = timezone.now() + timedelta(days=expires_days) if expires_days else None
    token = ApiToken.objects.create(
        user=owner, label=label, role=granted.value, digest=digest_of(secret), expires_at=expires_at
    )
    audit.record(
        actor=actor,
        action=f"{source}:token:create",
        target=token.id,
        facts={"owner": owner.username, "label": label, "role": token.role, "expires_at": expires_at},
    )
    return token, secret


@transaction.atomic
def token_revoke(*, actor: str, token: ApiToken) -> None:
    """The token stops working with the next request."""
    token.revoked_at = timezone.now()
    token.save(update_fields=["revoked_at"])
    audit.record(
        actor=actor,
        action="api:token:revoke",
        target=token.id,
        facts={"owner": token.user.username, "label": token.label},
    )
