"""Passkeys of users: adding one, and recognising it when it is used."""

from __future__ import annotations

import base64
import hashlib
from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from fido2.utils import websafe_decode
from fido2.webauthn import AttestedCredentialData

from backend.common.errors import conflict
from backend.identity.accounts.models import User
from backend.identity.second_factors import ceremony
from backend.identity.second_factors.models import Passkey

MAX_PASSKEYS: Final = 10


def of_host(request: HttpRequest, user: User) -> list[AttestedCredentialData]:
    """The user's passkeys for the host name of this request; others cannot be used here."""
    return [_data(row) for row in user.passkeys.filter(rp_id=ceremony.rp_id(request))]


def add(request: HttpRequest, user: User, *, name: str, credential: dict[str, Any]) -> Passkey:
    """Store a new passkey."""
    if user.passkeys.count() >= MAX_PASSKEYS:
        raise conflict("too_many_passkeys", f"You have {MAX_PASSKEYS} passkeys, which is the limit. Remove one first.")
    data = ceremony.created(request, credential)
    if data.credential_data is None:
        raise ceremony.refused("it has no public key")
    digest = _digest(data.credential_data.credential_id)
    if Passkey.objects.filter(credential_digest=digest).exists():
        raise ceremony.refused("it was added before")
    return Passkey.objects.create(
        user=user,
        name=name,
        rp_id=ceremony.rp_id(request),
        credential_digest=digest,
        credential=base64.b64encode(data.credential_data).decode(),
        sign_count=data.counter,
    )


def use(request: HttpRequest, purpose: str, credential: dict[str, Any], user: User | None = None) -> Passkey:
    """The passkey that answered the challenge, of this user or, with None, of any user."""
    state = ceremony.challenge(request, purpose)
    rows = Passkey.objects.select_related("user").filter(user__is_active=True, rp_id=ceremony.rp_id(request))
    row = rows.filter(credential_digest=_digest(_id_of(credential))).filter(Q(user=user) if user else Q()).first()
    if row is None:
        raise ceremony.refused("it is unknown or belongs to another user")
    data = ceremony.used(request, state, _data(row), credential)
    _count(row, data.counter)
    return row


def _count(row: Passkey, counter: int) -> None:
    """Store the counter; one that did not rise comes from a copy. Many passkeys have none, which is 0 always."""
    fresh = Passkey.objects.filter(pk=row.pk, sign_count__lt=counter)
    without = Passkey.objects.filter(pk=row.pk, sign_count=0) if counter == 0 else Passkey.objects.none()
    if not (fresh | without).update(sign_count=counter, last_used_at=timezone.now()):
        raise ceremony.refused("its counter did not rise, so a copy of it may exist. Have it removed")


def _id_of(credential: dict[str, Any]) -> bytes:
    try:
        return websafe_decode(str(credential.get("rawId") or credential.get("id") or ""))
    except ValueError as error:
        raise ceremony.refused("its id is no base64url") from error


def _digest(credential_id: bytes) -> str:
    return hashlib.sha256(credential_id).hexdigest()


def _data(row: Passkey) -> AttestedCredentialData:
    return AttestedCredentialData(base64.b64decode(row.credential))
