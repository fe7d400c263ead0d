"""Called by the monitor: asks provider and directory whether users who are signed in still are what they were."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

import structlog
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.audit import services as audit
from backend.common import heartbeats
from backend.common.actors import PROVIDER
from backend.common.errors import ProblemError
from backend.identity.accounts.identities import sessions
from backend.identity.accounts.identities.models import Identity, ProviderKind, ProviderSession
from backend.identity.accounts.models import ApiToken
from backend.identity.accounts.provider_users import provider_user_lost
from backend.identity.single_sign_on.admission import admit
from backend.identity.single_sign_on.ldap import directory
from backend.identity.single_sign_on.oidc import logout, provider, refresh
from backend.identity.single_sign_on.oidc.errors import ProviderError, RejectedError

AT_ONCE: Final = 50
"""Questions of one call, so that other jobs of the thread are not held up for long."""
RETRY: Final = timedelta(seconds=30)
log = structlog.get_logger(__name__)


def tick() -> None:
    """Confirm what is due, end what was not confirmed."""
    now = timezone.now()
    due = now - timedelta(seconds=settings.HAWSER_PROVIDER_CHECK_S)
    if provider.is_configured():
        confirm_oidc(due)
    if directory.is_configured() and _of_directory(due).exists() and heartbeats.is_due("directory", RETRY):
        confirm_ldap(due)
    end_unconfirmed(now)
    if heartbeats.is_due("logout tokens", timedelta(hours=1)):
        logout.forget_old()


def confirm_oidc(due: datetime) -> None:
    """Refresh the sessions that were last asked about before `due`. One without a refresh token is not confirmed."""
    rows = sessions.open_sessions().filter(identity__kind=ProviderKind.OIDC.value, checked_at__lte=due)
    for session in rows.exclude(sealed_tokens="").select_related("identity__user", "sign_in")[:AT_ONCE]:
        ProviderSession.objects.filter(pk=session.pk).update(checked_at=timezone.now())
        try:
            refresh.confirm(session)
        except ProviderError as error:
            log.warning("oidc.not_confirmed", error=str(error))
            return
        except RejectedError as error:
            _end(ProviderSession.objects.filter(pk=session.pk), session.identity, str(error))


def confirm_ldap(due: datetime) -> None:
    """Ask the directory about users with a session or a token; one deleted there or without a role loses both."""
    for identity in _of_directory(due).select_related("user")[:AT_ONCE]:
        try:
            account = directory.account_of_subject(identity.subject)
        except directory.DirectoryError as error:
            log.warning("ldap.not_confirmed", error=str(error))
            return
        if account is None:
            provider_user_lost(identity, "no longer in the directory")
            continue
        try:
            admit(account)
        except ProblemError as problem:
            log.info("ldap.not_admitted", user=identity.user.username, code=problem.code)
            continue
        sessions.confirm(identity)


def end_unconfirmed(now: datetime) -> None:
    """End sessions, and later tokens, of users about whom no provider could be asked for too long."""
    oldest = now - timedelta(minutes=settings.HAWSER_PROVIDER_UNCONFIRMED_MINUTES)
    for session in sessions.open_sessions().filter(confirmed_at__lte=oldest).select_related("identity__user"):
        _end(ProviderSession.objects.filter(pk=session.pk), session.identity, "not confirmed in time")
    forgotten = now - timedelta(days=settings.HAWSER_PROVIDER_TOKEN_DAYS)
    for identity in Identity.objects.filter(confirmed_at__lte=forgotten, user__in=_with_token()):
        provider_user_lost(identity, "not confirmed in time")


def _of_directory(due: datetime) -> QuerySet[Identity]:
    with_session = sessions.open_sessions().values("identity")
    rows = Identity.objects.filter(kind=ProviderKind.LDAP.value, confirmed_at__lte=due)
    return rows.filter(Q(pk__in=with_session) | Q(user__in=_with_token())).order_by("confirmed_at")


def _with_token() -> QuerySet[ApiToken, int]:
    return ApiToken.objects.filter(revoked_at=None, expires_at__gt=timezone.now()).values_list("user", flat=True)


def _end(rows: QuerySet[ProviderSession], identity: Identity, reason: str) -> None:
    ended = sessions.end(rows)
    audit.record(
        actor=PROVIDER,
        action="provider:session:ended",
        target=identity.user.username,
        reason=reason,
        facts={"sessions_ended": ended},
    )
