"""Who calls: a bearer token in the header, or the page's session with CSRF protection."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from backend.accounts.models import ApiToken, User
from backend.accounts.tokens import digest_of

_TOUCH_EVERY = timedelta(minutes=1)


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`; tokens are accepted nowhere else."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's owner, acting with no more than the token's role."""
        parts = get_authorization_header(request).split()
        if not parts:
            return None
        if len(parts) != 2 or parts[0].lower() != b"bearer":
            raise AuthenticationFailed("Send the header as: Authorization: Bearer TOKEN")
        token = ApiToken.objects.select_related("user").filter(digest=digest_of(parts[1])).first()
        now = timezone.now()
        if token is None or token.revoked_at or (token.expires_at and token.expires_at <= now):
            raise AuthenticationFailed("This token is unknown, revoked or expired; make a new one.")
        if not token.user.is_active:
            raise AuthenticationFailed("The owner of this token is disabled.")
        if token.last_used_at is None or now - token.last_used_at > _TOUCH_EVERY:
            ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
        token.user.token_role = token.role
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Makes a missing sign-in a 401."""
        return 'Bearer realm="hawser"'


class ConsoleSessionAuthentication(SessionAuthentication):
    """Django's session; CSRF is enforced on unsafe methods."""
