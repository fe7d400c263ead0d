"""Sessions that a provider or directory opened: stored with what ends and confirms them."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from backend.identity.accounts import sign_ins
from backend.identity.accounts.identities.models import Identity, ProviderSession
from backend.identity.accounts.identities.selectors import identity_of
from backend.identity.accounts.models import SignIn


def keep(sign_in: SignIn, *, sid: str = "", sealed_tokens: str = "") -> None:
    """Store that the identity of the user opened this session; nothing for a local user."""
    identity = identity_of(sign_in.user)
    if identity is not None:
        ProviderSession.objects.create(sign_in=sign_in, identity=identity, sid=sid, sealed_tokens=sealed_tokens)


def open_sessions() -> QuerySet[ProviderSession]:
    """Sessions of providers and directories that have not ended."""
    return ProviderSession.objects.filter(sign_in__ended_at=None)


def confirm(identity: Identity) -> None:
    """The provider or directory knows the user just now."""
    now = timezone.now()
    Identity.objects.filter(pk=identity.pk).update(confirmed_at=now)
    open_sessions().filter(identity=identity).update(confirmed_at=now, checked_at=now)


def end(rows: QuerySet[ProviderSession]) -> int:
    """End these sessions and their streams at once; returns their number."""
    return sign_ins.end(SignIn.objects.filter(pk__in=list(rows.values_list("sign_in_id", flat=True))))
