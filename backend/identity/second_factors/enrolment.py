"""Adds and removes the second factors of the user of a session."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.http import HttpRequest

from backend.audit import services as audit
from backend.common.errors import ProblemError, conflict, forbidden, not_found
from backend.common.events import services as events
from backend.identity.accounts import session_proof
from backend.identity.accounts.models import User
from backend.identity.second_factors import passkeys, recovery_codes, totp
from backend.identity.second_factors.models import Passkey, Totp
from backend.identity.second_factors.verification import PASSKEY, TOTP

_SECRET: Final = "hawser_totp_secret"  # noqa: S105 -- the name under which the session holds it, sealed


def totp_begin(request: HttpRequest, user: User) -> dict[str, str]:
    """A new secret for an app, kept sealed in the session until its first code proves that the app has it."""
    if Totp.objects.filter(user=user).exists():
        raise _has_app()
    secret = totp.new_secret()
    request.session[_SECRET] = totp.seal(secret, user)
    uri = totp.uri(secret, user)
    return {"secret": secret, "uri": uri, "qr_code": totp.qr_code(uri)}


@transaction.atomic
def totp_add(request: HttpRequest, user: User, *, code: str) -> list[str]:
    """Store the app of the session's secret; returns the recovery codes if this is the first factor."""
    sealed = request.session.get(_SECRET)
    if not sealed:
        raise conflict("not_begun", "This was not begun in this session. Nothing was done. Start again.")
    if Totp.objects.filter(user=user).exists():
        raise _has_app()
    step = totp.step_of(code.replace(" ", ""), totp.unseal(sealed, user))
    if step is None:
        raise forbidden(
            "wrong_second_factor",
            "The code is wrong, so the app was not added. Check the clock of the device and enter its present code.",
        )
    del request.session[_SECRET]
    Totp.objects.create(user=user, sealed=sealed, last_step=step)
    return _added(request, user, TOTP, "an authenticator app")


@transaction.atomic
def passkey_add(request: HttpRequest, user: User, *, name: str, credential: dict[str, Any]) -> list[str]:
    """Store a passkey; returns the recovery codes if this is the first factor."""
    passkeys.add(request, user, name=name, credential=credential)
    return _added(request, user, PASSKEY, f"the passkey “{name}”")


@transaction.atomic
def recovery_codes_renew(user: User) -> list[str]:
    """New recovery codes; the earlier ones end."""
    if not _factor_count(user):
        raise conflict("no_second_factor", "You have no second factor. No codes were made. Add a factor first.")
    codes = recovery_codes.renew(user)
    audit.record(actor=user.username, action="api:second_factor:recovery_codes", target=user.username)
    return codes


@transaction.atomic
def totp_remove(user: User) -> None:
    """Remove the app."""
    row = Totp.objects.select_for_update().filter(user=user).first()
    if row is None:
        raise not_found("authenticator app")
    row.delete()
    _removed(user, TOTP, "the authenticator app")


@transaction.atomic
def passkey_remove(user: User, passkey_id: str) -> None:
    """Remove a passkey."""
    row = Passkey.objects.select_for_update().filter(user=user, pk=passkey_id).first()
    if row is None:
        raise not_found("passkey")
    row.delete()
    _removed(user, PASSKEY, f"the passkey “{row.name}”")


def _added(request: HttpRequest, user: User, way: str, what: str) -> list[str]:
    session_proof.record(request, factor=way)
    codes = recovery_codes.renew(user) if _factor_count(user) == 1 else []
    message = f"{user.username} added {what} as a second factor."
    events.raised(link_id="", kind="second_factor.added", severity="info", message=message, actor=user.username)
    facts = {"second_factor": way}
    audit.record(actor=user.username, action="api:second_factor:added", target=user.username, facts=facts)
    return codes


def _removed(user: User, way: str, what: str) -> None:
    """The last factor of a user whose role needs one stays: the user would be locked out of everything else."""
    if not _factor_count(user):
        if session_proof.is_factor_required(user):
            raise conflict(
                "last_second_factor",
                f"This is your last second factor, and the role {user.role} needs one. It was not removed. "
                "Add another one first.",
            )
        user.recovery_codes.all().delete()
    message = f"{user.username} removed {what}."
    events.raised(link_id="", kind="second_factor.removed", severity="warning", message=message, actor=user.username)
    facts = {"second_factor": way}
    audit.record(actor=user.username, action="api:second_factor:removed", target=user.username, facts=facts)


def _factor_count(user: User) -> int:
    return Totp.objects.filter(user=user).count() + user.passkeys.count()


def _has_app() -> ProblemError:
    return conflict("app_exists", "You have an authenticator app already. Nothing was changed. Remove it first.")
