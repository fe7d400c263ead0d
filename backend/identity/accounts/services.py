"""Sign-in and users; every change and every failure is recorded in the audit log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate, login, logout, update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from backend.audit import services as audit
from backend.audit.aggregation import refusals
from backend.common.actors import ANONYMOUS, RESERVED
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.events import services as events
from backend.common.request_context import current
from backend.common.roles import PERMISSIONS, Permission, Role, may
from backend.identity.accounts import (
    account_notices,
    first_steps,
    installation,
    known_browser,
    local_sign_in,
    objectors,
    protected_changes,
    same_person,
    second_factor,
    session_proof,
    sign_ins,
    throttle,
)
from backend.identity.accounts.access import end_access
from backend.identity.accounts.identities import sessions
from backend.identity.accounts.identities.models import ProviderKind
from backend.identity.accounts.identities.selectors import PASSWORD, identity_of, method_of
from backend.identity.accounts.models import ProtectedChange, SignIn, Team, User, token_of_request
from backend.identity.accounts.names import skeleton
from backend.identity.accounts.persons import acting_name, are_one_person, is_unknown
from backend.identity.accounts.privileges import held_by
from backend.identity.accounts.second_person import behind_password
from backend.identity.accounts.service_accounts import check_password_allowed, owner_fields
from backend.identity.accounts.session_store import stored_key

PERSON_KINDS = tuple(
    f"{who}_{what}"
    for who in ("approver", "operator")
    for what in ("added", "promoted", "enabled", "password_reset", "factors_removed", "assigned")
)
"""Changes after which the user who made them could act as a second person, or request runs, through the account."""


OS_USER_MAPPED = "os_user_mapped"


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
    local_sign_in.check(user)
    first_steps.check_sign_in(user)
    attempt.succeed()
    session_begin(request=request, user=user, method=method_of(user))
    return user


def session_begin(
    *, request: HttpRequest, user: User, method: str, amr: Sequence[str] = (), factor: str = ""
) -> SignIn:
    """Begin the session of a user who was authenticated, by whatever means. It always gets a new key.

    `method` is `password`, `ldap` or `oidc`; `amr` is what the provider says of how the user was authenticated (RFC
    8176). `factor` is the second factor that was given. A user who has one and did not give it is not signed in: the
    `second_factor_needed` raised here names the ways to give it. An OpenID Connect provider asks for factors itself.
    """
    if user.is_service:
        raise ProblemError(401, "wrong_credentials", "A service account has no sessions. Use one of its tokens.")
    sign_ins.end_of_request(request)
    if not factor and method != ProviderKind.OIDC and (ways := second_factor.factors().ways_of(user)):
        raise second_factor.suspend(request, user, ways)
    request.session.flush()
    login(request, user, backend=getattr(user, "backend", None) or settings.AUTHENTICATION_BACKENDS[0])
    sign_in = sign_ins.begin(request, user)
    installation.used_by(user)
    session_proof.record(request, factor=factor or ("provider" if "mfa" in amr else ""))
    if method == ProviderKind.LDAP:
        sessions.keep(sign_in)
    elif method == PASSWORD:
        local_sign_in.announce(user)
    facts = {"method": method, "amr": list(amr), "second_factor": session_proof.of(request).factor}
    audit.record(actor=user.username, action="session:user:sign_in", target=user.username, facts=facts)
    return sign_in


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
    refuse_if_of_provider(user, "current_password", "password")
    password_check(
        request=request,
        user=user,
        password=current_password,
        field="current_password",
        effect="Your password is unchanged.",
    )
    if first_steps.must_change_password(user) and new_password == current_password:
        raise invalid("new_password", "An administrator knows this password. Choose another one.")
    _set_password(user, new_password, field="new_password")
    with transaction.atomic():
        user.save(update_fields=["password", "initial_password_until"])
        key = stored_key(request.session.session_key)
        ended = end_access(user, but_session_key=key)
        update_session_auth_hash(request, user)
        SignIn.objects.filter(session_key=key).update(session_key=stored_key(request.session.session_key))
        audit.record(actor=user.username, action="api:user:password_change", target=user.username, facts=ended)
        account_notices.password_changed(username=user.username, actor=user.username)


def password_check(
    *, request: HttpRequest, user: User, password: str, field: str = "password", effect: str = "Nothing was done."
) -> None:
    """Check the password of the session's user; attempts are counted like a sign-in."""
    attempt = _counted_attempt(request, user.username)
    if not user.check_password(password):
        audit.record(actor=user.username, action="api:user:password_refused", target=user.username)
        raise invalid(field, f"The current password is wrong. {effect}", code="wrong_credentials", status=403)
    attempt.succeed()


def user_create(
    *,
    actor: str,
    username: str,
    role: str,
    password: str | None,
    source: str = "api",
    service_of: User | Team | None = None,
) -> User:
    """Create a user; without a password the user can use API tokens only. A service account has an owner.

    A user who may approve counts as a second person after a waiting time, or when a second administrator confirms it.
    Until then the creator of a user who may run plans cannot approve that user's runs.
    """
    check_name(username)
    user = User(username=username, role=Role(role).value, **owner_fields(service_of, password))
    _set_password(user, password, by=actor)
    try:
        with transaction.atomic():
            user.save()
            if may(user.role, Permission.RUN):
                hold_back(user, actor, "added", "was added", is_approver=may(user.role, Permission.APPROVE))
            facts = {"role": user.role} | ({"service_of": str(service_of)} if service_of is not None else {})
            audit.record(actor=actor, action=f"{source}:user:create", target=username, facts=facts)
    except IntegrityError as error:
        raise conflict(
            "user_exists", f"A user named {username} already exists. No user was created. Choose another name."
        ) from error
    return user


def check_name(username: str) -> None:
    """Refuse a name under which Hawser acts, and one that looks like another user's."""
    if skeleton(username) in {skeleton(name) for name in RESERVED}:
        raise invalid(
            "username", f"Hawser itself acts under the name {username}. No user was created. Choose another name."
        )
    alike = User.objects.filter(name_skeleton=skeleton(username)).first()
    if alike is not None and alike.username != username:
        message = f"{username} can be mistaken for the user {alike.username}. No user was created. Choose another name."
        raise conflict("user_exists", message, errors=[{"field": "username", "message": message}])


@transaction.atomic
def user_update(*, actor: str, user: User, source: str = "api", ends_factors: bool = False, **changes: Any) -> User:
    """Change `role`, `is_active`, `password`, `os_users` or `same_person_as`; the last active administrator stays one.

    `ends_factors`: with a new password the second factors end as well, since others may have them.

    A change that makes the user a second person is held back for a while. A new role, a new password and disabling
    the user end all sessions, tokens and streams of the user. `own_change_waits` if the user is an administrator who
    could object to a protected change of the actor.
    """
    before = User.objects.get(pk=user.pk)
    for field in ("role", "password"):
        if changes.get(field) is not None:
            refuse_if_of_provider(user, field, field)
    if changes.get("role") is not None:
        user.role = Role(changes["role"]).value
    if changes.get("is_active") is not None:
        user.is_active = changes["is_active"]
    objectors.check_change(actor, before, user, has_password=bool(changes.get("password")))
    if changes.get("password"):
        check_password_allowed(user)
        _set_password(user, changes["password"], by="" if actor == user.username else actor)
    if changes.get("os_users") is not None:
        _map_os_users(actor, user, changes["os_users"])
    if "same_person_as" in changes:
        same_person.declare(actor, user, changes["same_person_as"])
    user.save()
    if not User.objects.filter(role=Role.ADMIN.value, is_active=True).exists() and source == "api":
        raise _last_administrator("The user is unchanged")
    for kind, action in _second_person_changes(actor, before, user, has_password=bool(changes.get("password"))):
        hold_back(user, actor, kind, action, is_approver=Permission.APPROVE in held_by(user).anywhere())
    facts = {key: value for key, value in changes.items() if key != "password" and value is not None}
    if changes.get("password"):
        facts["password_changed"] = True
        facts |= _end_factors(actor, user) if ends_factors else {}
        throttle.unlock(user.username)
    if before.role != user.role or changes.get("password") or (before.is_active and not user.is_active):
        facts |= end_access(user)
    audit.record(actor=actor, action=f"{source}:user:update", target=user.username, facts=facts)
    _notify(actor, before, user, has_password=bool(changes.get("password")))
    return user


def _last_administrator(state: str) -> ProblemError:
    return conflict(
        "last_administrator",
        f"This is the last active administrator. {state}. Give another user the role admin first.",
    )


def refuse_if_of_provider(user: User, field: str, what: str) -> None:
    """Refuse a change of what the provider or directory of the user decides on."""
    identity = identity_of(user)
    if identity is not None:
        raise invalid(
            field,
            f"The {what} of {user.username} comes from {identity.issuer}. Nothing was changed. Change it there; it "
            "takes effect at the next sign-in.",
            code="managed_by_provider",
            status=409,
        )


def _notify(actor: str, before: User, user: User, *, has_password: bool) -> None:
    """Tell of what changed, since the user may not have asked for it."""
    was, now = ({"role": each.role, "is_active": each.is_active} for each in (before, user))
    account_notices.account_changed(username=user.username, actor=actor, before=was, after=now)
    if has_password:
        factors = () if actor == user.username else second_factor.factors().ways_of(user)
        account_notices.password_changed(username=user.username, actor=actor, factors=factors)


def _second_person_changes(actor: str, before: User, user: User, *, has_password: bool) -> list[tuple[str, str]]:
    """The changes after which the user who made them could act as another person through the account."""
    if Permission.RUN not in held_by(user).anywhere():
        return []
    found = []
    if not PERMISSIONS[Role(user.role)] <= PERMISSIONS[Role(before.role)]:
        found.append(("promoted", f"was promoted from {before.role}"))
    if user.is_active and not before.is_active:
        found.append(("enabled", "was enabled again"))
    if has_password and not are_one_person(actor, user.username):
        found.append(("password_reset", "got a new password"))
    return found


def hold_back(user: User, actor: str, what: str, action: str, *, is_approver: bool) -> None:
    """The account counts as another person only after the waiting time, or when a second administrator confirms it."""
    at = protected_changes.effective_at(timezone.now())
    who, purpose = "operator", f"to ask for runs that {actor} may approve"
    if is_approver:
        User.objects.filter(pk=user.pk).update(second_person_from=at)
        user.second_person_from = at
        who, purpose = "approver", "to count as a second person"
    summary = f"{user.username} ({user.role}) {action} by {actor} and is {purpose}."
    setter = user.password_set_by
    if setter and not are_one_person(setter, actor):
        known = f" {setter} set its password, and is taken for the same person until then."
        if is_unknown(setter):
            known = f" {setter} set its password, and no user is mapped to that account of the host: it may be anybody."
        summary = summary[: ProtectedChange.SUMMARY_LENGTH - len(known)] + known
    protected_changes.announce(kind=f"{who}_{what}", target=user.username, summary=summary, actor=actor, at=at)


def _map_os_users(actor: str, user: User, names: list[str]) -> None:
    """Map accounts of the host to this user; a new one counts after the waiting time."""
    for other in User.objects.exclude(pk=user.pk):
        taken = set(names) & set(other.os_users)
        if taken:
            raise invalid("os_users", f"{min(taken)} is already mapped to {other.username}. Remove it there first.")
    now = timezone.now()
    at = protected_changes.effective_at(now)
    counting = {name: since for name, since in user.os_users.items() if datetime.fromisoformat(since) <= now}
    fresh = [name for name in names if name not in user.os_users]
    if fresh:  # one time for all that the change names: what an earlier one kept waits anew
        user.os_users = {name: counting.get(name) or at.isoformat() for name in names}
        kept = [name for name in names if name not in counting]
        summary = f"{', '.join(kept)} on the console's host is to be mapped to {user.username}, requested by {actor}."
        protected_changes.announce(kind=OS_USER_MAPPED, target=user.username, summary=summary, actor=actor, at=at)
    else:
        user.os_users = {name: user.os_users[name] for name in names}


@transaction.atomic
def factors_remove(*, actor: str, user: User, source: str = "api") -> dict[str, int]:
    """Remove all second factors of a user who lost the device; all access of the user ends.

    Like a new password it brings the actor closer to acting as that user, so it is held back like one. The password
    ends, too, where initial passwords do: the person gets a new one as at the beginning, which proves who asks.
    """
    objectors.check_removal(actor, user)
    removed = _end_factors(actor, user)
    if first_steps.initial_until() is not None and identity_of(user) is None:
        user.set_unusable_password()
        user.save(update_fields=["password"])
    held = held_by(user).anywhere()
    if Permission.RUN in held and not are_one_person(actor, user.username):
        hold_back(
            user,
            actor,
            "factors_removed",
            "lost all second factors, which were removed",
            is_approver=Permission.APPROVE in held,
        )
    facts = removed | end_access(user)
    audit.record(actor=actor, action=f"{source}:user:remove_factors", target=user.username, facts=facts)
    return removed


def _end_factors(actor: str, user: User) -> dict[str, int]:
    """Remove them and tell; the caller ends the user's access."""
    removed = second_factor.factors().remove_all(user)
    message = f"The second factors of {user.username} were removed by {actor}. The user's sessions and tokens ended."
    events.raised(link_id="", kind="second_factor.removed", severity="warning", message=message, actor=actor)
    return removed


@transaction.atomic
def user_unlock(*, actor: str, user: User, source: str = "api") -> None:
    """Clear the failed sign-ins of a user, so that the user can try again at once."""
    throttle.unlock(user.username)
    audit.record(actor=actor, action=f"{source}:user:unlock", target=user.username)


def _set_password(user: User, password: str | None, *, field: str = "password", by: str = "") -> None:
    """`by`: who sets it for the user; empty where the user does it.

    During installation it is not kept: who installs is trusted with every account, and nobody is mapped to him yet, so
    that nobody could confirm a change of the first administrators.
    """
    if by:
        user.made_with_token = token_of_request()
    user.initial_password_until = first_steps.initial_until() if by and password is not None else None
    if password is None:
        user.set_unusable_password()
        return
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise invalid(field, " ".join(error.messages)) from error
    user.set_password(password)
    if by and not installation.is_installation():
        setter = acting_name(by)
        user.people_behind, user.password_set_by = behind_password(user, setter), setter


def second_person_confirmed(username: str) -> None:
    """The account counts from now on, unless another change of it is still waiting."""
    user = User.objects.get(username=username)
    still_waiting = protected_changes.waiting().filter(target=username, kind__in=PERSON_KINDS)
    latest = max((change.effective_at for change in still_waiting), default=timezone.now())
    user.second_person_from = min(user.second_person_from, latest)
    if not still_waiting:
        user.people_behind = []
    user.save(update_fields=["second_person_from", "people_behind"])


def check_rejection(actor: str, username: str) -> None:
    """Refuse to reject what would disable somebody who could object to a change of the same person that waits, or the
    last administrator."""
    objectors.check_removal(actor, User.objects.get(username=username))
    administrators = User.objects.filter(role=Role.ADMIN.value, is_active=True)
    if [one.username for one in administrators] == [username]:
        raise _last_administrator("The change still waits")


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
    """Remove what the last change mapped, also where its time came while the monitor was down."""
    user = User.objects.get(username=username)
    at = ProtectedChange.objects.filter(kind=OS_USER_MAPPED, target=username).latest("requested_at").effective_at
    user.os_users = {name: since for name, since in user.os_users.items() if datetime.fromisoformat(since) < at}
    user.save(update_fields=["os_users"])
