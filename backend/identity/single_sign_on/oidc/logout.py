"""Ends sessions: of the user who signs out here (RP-initiated), and of whom the provider names (back channel)."""

from __future__ import annotations

import hashlib
import time
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from backend.audit import services as audit
from backend.audit.aggregation import refusals
from backend.common.actors import ANONYMOUS, PROVIDER
from backend.common.errors import ProblemError
from backend.common.retention import delete_in_portions
from backend.identity.accounts.identities import sessions
from backend.identity.accounts.identities.models import ProviderSession, UsedLogoutToken, identity_key
from backend.identity.accounts.models import SignIn
from backend.identity.single_sign_on.oidc import provider, tokens
from backend.identity.single_sign_on.oidc.errors import ProviderError, RejectedError
from backend.identity.single_sign_on.oidc.flow import unavailable
from backend.identity.single_sign_on.oidc.sealed_tokens import open_tokens


def end_session_url(sign_in: SignIn) -> str | None:
    """Where the browser goes to end the session at the provider, too; None if it has no such address."""
    session = ProviderSession.objects.filter(sign_in=sign_in).first()
    if session is None or not session.sealed_tokens or not provider.is_configured():
        return None
    try:
        endpoint = provider.metadata().get("end_session_endpoint")
    except ProviderError:
        return None
    query = {
        "client_id": settings.HAWSER_OIDC_CLIENT_ID,
        "id_token_hint": open_tokens(session)["id_token"],
        "post_logout_redirect_uri": f"{settings.HAWSER_CONSOLE_URL}/sign-in",
    }
    return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}" if isinstance(endpoint, str) else None


def back_channel(logout_token: str) -> int:
    """End the sessions that the token names, and their streams; returns their number."""
    try:
        claims = tokens.logout_token_claims(logout_token)
        _use(str(claims["jti"]), claims.get("exp"))
    except ProviderError as error:
        raise unavailable(error) from error
    except RejectedError as error:
        refusals.add(
            actor=ANONYMOUS, action="provider:logout:refused", target=settings.HAWSER_OIDC_ISSUER, why=str(error)
        )
        raise ProblemError(400, "logout_token_refused", f"No session was ended: {error}. Send a new token.") from error
    ended = sessions.end(_named(claims.get("sub"), claims.get("sid")))
    audit.record(actor=PROVIDER, action="provider:logout:sessions_ended", target=str(claims.get("sub", ""))[:80],
                 facts={"sessions_ended": ended, "by_session": "sid" in claims})  # fmt: skip
    return ended


def _named(sub: str | None, sid: str | None) -> QuerySet[ProviderSession]:
    """Sessions of this issuer: one by its id, or all of a user."""
    rows = sessions.open_sessions().filter(identity__issuer=settings.HAWSER_OIDC_ISSUER)
    of_user = Q(identity__key=identity_key(settings.HAWSER_OIDC_ISSUER, sub)) if sub else Q()
    return rows.filter(of_user & (Q(sid=sid) if sid else Q()))


def _use(jti: str, exp: object) -> None:
    """Refuse a token that was used before; it is remembered until it would be refused as too old."""
    end = float(exp) if isinstance(exp, int | float) else time.time() + tokens.LOGOUT_AGE_S
    until = datetime.fromtimestamp(end, UTC) + timedelta(seconds=2 * tokens.LEEWAY_S)
    try:
        with transaction.atomic():
            UsedLogoutToken.objects.create(key=hashlib.sha256(jti.encode()).hexdigest(), expires_at=until)
    except IntegrityError as error:
        raise RejectedError("the logout token was used before") from error


def forget_old() -> None:
    """Forget tokens that would be refused as too old."""
    delete_in_portions(UsedLogoutToken.objects.filter(expires_at__lt=timezone.now()))
