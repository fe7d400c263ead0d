"""Authentication: a bearer token in the header, or the page's session with CSRF protection."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from ipaddress import ip_address, ip_network

from django.contrib.auth import authenticate
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from backend.common.request_context import current
from backend.identity.accounts import first_steps, installation, session_proof, sign_ins
from backend.identity.accounts.models import ApiToken, SignIn, User
from backend.identity.accounts.tokens import digest_of

_TOUCH_EVERY = timedelta(minutes=1)


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`; tokens are accepted in no other form."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's owner, with at most the token's role."""
        parts = get_authorization_header(request).split()
        if not parts:
            return None
        if len(parts) != 2 or parts[0].lower() != b"bearer":
            raise AuthenticationFailed("The Authorization header is malformed. Send it as: Authorization: Bearer TOKEN")
        token = _live_token(parts[1])
        if token is None:
            raise AuthenticationFailed("This token is unknown, revoked or expired. Create a new one.")
        if not is_address_allowed(token, current.get().source_ip):
            raise AuthenticationFailed(
                f"This token is not accepted from {current.get().source_ip}. Call from an address in its ranges, or "
                "create a token with this address."
            )
        if not token.user.is_active:
            raise AuthenticationFailed("The owner of this token is disabled. Ask an administrator to enable the user.")
        token.user.token_in_use = token
        if lacks_second_proof(token):
            raise AuthenticationFailed(
                "This token may do what needs a second factor, and is limited to no ranges of addresses. Create one "
                "with ranges, or with a lower role."
            )
        now = timezone.now()
        if token.last_used_at is None or now - token.last_used_at > _TOUCH_EVERY:
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
            installation.used_by(token.user)
        current.set(replace(current.get(), token_id=token.pk))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Turns a missing sign-in into a 401."""
        return 'Bearer realm="hawser"'


def is_address_allowed(token: ApiToken, address: str) -> bool:
    """Whether the token is accepted from the address. An unknown address is in no range."""
    if token.addresses is None:
        return True
    try:
        known = ip_address(address)
    except ValueError:
        return False
    return any(known in ip_network(text) for text in token.addresses)


def lacks_second_proof(token: ApiToken) -> bool:
    """Whether the token alone would open what a session opens with a second factor only.

    A token cannot give a factor, so where it is called from must be proved besides. A range of all addresses proves
    nothing.
    """
    is_limited = token.addresses is not None and all(ip_network(text).prefixlen for text in token.addresses)
    return not is_limited and session_proof.is_factor_required(token.user)


def _live_token(secret: str | bytes) -> ApiToken | None:
    rows = ApiToken.objects.select_related("user").filter(revoked_at=None, expires_at__gt=timezone.now())
    return rows.filter(digest=digest_of(secret)).first()


def user_of_token(secret: str) -> User | None:
    """The active owner of an active token, acting with it."""
    token = _live_token(secret)
    if token is None or not token.user.is_active or not is_address_allowed(token, current.get().source_ip):
        return None
    token.user.token_in_use = token
    return None if lacks_second_proof(token) else token.user


def user_of_password(username: str, password: str) -> User | None:
    """The active user with this password, which the user chose."""
    user = authenticate(username=username, password=password)
    return user if isinstance(user, User) and not first_steps.must_change_password(user) else None


class ConsoleSessionAuthentication(SessionAuthentication):
    """Django's session while its sign-in has not ended and is not idle; CSRF is enforced on unsafe methods."""

    def authenticate(self, request: Request) -> tuple[User, SignIn] | None:
        """The user of the session."""
        found = super().authenticate(request)
        if found is None:
            return None
        sign_in = sign_ins.of_session(request._request.session.session_key, found[0])  # noqa: SLF001
        if sign_in is None:
            return None
        if sign_ins.IDLE_HEADER not in request.headers:
            sign_ins.touch(sign_in)
        return found[0], sign_in


def is_still_authenticated(user: User, auth: object, rights_key: str) -> bool:
    """Whether the same session or token would still be accepted, with the same privileges."""
    if not isinstance(auth, ApiToken | SignIn):
        return False
    tokens = ApiToken.objects.filter(revoked_at=None, expires_at__gt=timezone.now())
    rows = tokens if isinstance(auth, ApiToken) else sign_ins.live(user)
    fresh = User.objects.filter(pk=user.pk, is_active=True).first()
    if fresh is None or not rows.filter(pk=auth.pk).exists():
        return False
    fresh.token_in_use = user.token_in_use
    return fresh.privileges().key == rights_key
