"""The REST views of tokens and sessions: the caller's own, and for administrators those of all users."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.audit import services as audit
from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.operations import operation
from backend.common.rest.proof import RecentProof
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.identity.accounts import selectors, service_accounts, sign_ins, token_services
from backend.identity.accounts.models import ApiToken, SignIn, User
from backend.identity.accounts.principal import principal
from backend.identity.accounts.serializers import (
    NewTokenSerializer,
    SessionPageSerializer,
    TokenCreateSerializer,
    TokenPageSerializer,
    TokenRevokedSerializer,
    TokenRevokeQuerySerializer,
    TokenRotateSerializer,
    TokenSerializer,
)
from backend.identity.accounts.token_limits import TokenLimits

_LIMITS = ("permissions", "links", "environments", "addresses")


def _created(request: Request, owner: User) -> Response:
    given = validated_body(request, TokenCreateSerializer)
    token, secret = token_services.token_create(
        owner=owner,
        actor=principal(request).username,
        label=given["label"],
        role=given.get("role"),
        expires_days=given.get("expires_days"),
        limits=TokenLimits(**{name: given.get(name) for name in _LIMITS}),
    )
    return _with_secret(token, secret)


def _rotated(request: Request, token: ApiToken) -> Response:
    overlap_s = validated_body(request, TokenRotateSerializer)["overlap_s"]
    return _with_secret(*token_services.token_rotate(user=principal(request), token=token, overlap_s=overlap_s))


def _with_secret(token: ApiToken, secret: str) -> Response:
    return Response(dict(TokenSerializer(token).data) | {"token": secret}, status=201)


def _revoked(request: Request, user: User, token_id: str) -> Response:
    why = validated_query(request, TokenRevokeQuerySerializer)
    token = selectors.token_of(user, token_id, **why)
    found = token_services.token_revoke(actor=principal(request).username, token=token, **why)
    return respond(TokenRevokedSerializer, {"found": found}) if why["is_compromised"] else Response(status=204)


class TokenListView(ConsoleView):
    """The caller's own tokens."""

    permissions = {"GET": Permission.TOKENS, "POST": Permission.TOKENS}
    recent_proof = {"POST": RecentProof.CONFIGURED}
    keyed = False

    @operation("token_list", "List your active tokens", responses=TokenPageSerializer)
    def get(self, request: Request) -> Response:
        """List the tokens of the current user that have not expired and are not revoked."""
        return respond(TokenPageSerializer, {"results": selectors.tokens_of(principal(request)), "next": None})

    @operation(
        "token_create",
        "Create a token",
        codes=(
            "token_makes_no_token",
            "too_many_tokens",
        ),
        request=TokenCreateSerializer,
        responses={201: NewTokenSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a token. Its secret is returned once, in this response only."""
        return _created(request, principal(request))


class TokenRotateView(ConsoleView):
    """The rotation of a token of the caller."""

    permissions = {"POST": Permission.TOKENS}
    recent_proof = {"POST": RecentProof.CONFIGURED}
    keyed = False

    @operation(
        "token_rotate",
        "Rotate one of your tokens",
        codes=("token_makes_no_token", "token_rotated"),
        request=TokenRotateSerializer,
        responses={201: NewTokenSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, token_id: str) -> Response:
        """Create a token with the same limits. The old one stays valid for some time. The secret is returned once."""
        return _rotated(request, selectors.token_of(principal(request), token_id))


class TokenView(ConsoleView):
    """One token of the caller."""

    permissions = {"DELETE": Permission.TOKENS}

    @operation(
        "token_revoke",
        "Revoke one of your tokens",
        parameters=[TokenRevokeQuerySerializer],
        responses={200: TokenRevokedSerializer, 204: None},
    )
    @stored_with_effect
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke a token of the current user. Requests and streams with it end."""
        return _revoked(request, principal(request), token_id)


class UserTokenListView(ConsoleView):
    """Tokens of any user."""

    permissions = {"GET": Permission.AUDIT, "POST": Permission.USERS}
    keyed = False

    @operation("user_token_list", "List the tokens of a user", responses=TokenPageSerializer)
    def get(self, request: Request, username: str) -> Response:
        """List the tokens of a user that have not expired and are not revoked."""
        tokens = selectors.tokens_of(selectors.user_named(username))
        return respond(TokenPageSerializer, {"results": tokens, "next": None})

    @operation(
        "user_token_create",
        "Create a token of a service account",
        codes=("token_makes_no_token", "too_many_tokens", "not_service_account"),
        request=TokenCreateSerializer,
        responses={201: NewTokenSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, username: str) -> Response:
        """Create a token of a service account. Its secret is returned once, in this response only.

        Until the change is confirmed or its waiting time is over, its creator cannot approve what is asked with it.
        """
        user = selectors.user_named(username)
        token_services.check_no_token(principal(request))
        service_accounts.check_is_service(user)
        return _created(request, user)


class UserTokenRotateView(ConsoleView):
    """The rotation of a token of a service account."""

    permissions = {"POST": Permission.USERS}
    keyed = False

    @operation(
        "user_token_rotate",
        "Rotate a token of a service account",
        codes=("token_makes_no_token", "token_rotated", "not_service_account"),
        request=TokenRotateSerializer,
        responses={201: NewTokenSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, username: str, token_id: str) -> Response:
        """Create a token with the same limits. The old one stays valid for some time. The secret is returned once."""
        user = selectors.user_named(username)
        service_accounts.check_is_service(user)
        return _rotated(request, selectors.token_of(user, token_id))


class UserTokenView(ConsoleView):
    """One token of any user."""

    permissions = {"DELETE": Permission.USERS}

    @operation(
        "user_token_revoke",
        "Revoke a token of a user",
        parameters=[TokenRevokeQuerySerializer],
        responses={200: TokenRevokedSerializer, 204: None},
    )
    @stored_with_effect
    def delete(self, request: Request, username: str, token_id: str) -> Response:
        """Revoke a token of any user. Requests and streams with it end."""
        return _revoked(request, selectors.user_named(username), token_id)


def _sessions(request: Request, user: User) -> Response:
    shown = selectors.sessions_of(user, request.auth)
    return respond(SessionPageSerializer, {"results": shown, "next": None})


def _end(request: Request, user: User, session_id: str) -> Response:
    found = sign_ins.sign_in_get(user, session_id)
    sign_ins.end(SignIn.objects.filter(pk=found.pk))
    audit.record(
        actor=principal(request).username,
        action="api:session:end",
        target=found.id,
        facts={"user": user.username, "source_ip": found.source_ip},
    )
    return Response(status=204)


class SessionListView(ConsoleView):
    """The caller's own sessions."""

    permissions = {"GET": Permission.SESSION}

    @operation("session_list", "List your active sessions", responses=SessionPageSerializer)
    def get(self, request: Request) -> Response:
        """List the sessions of the current user that have not ended."""
        return _sessions(request, principal(request))


class OneSessionView(ConsoleView):
    """One session of the caller."""

    permissions = {"DELETE": Permission.SESSION}
    recent_proof = {"DELETE": RecentProof.CONFIGURED}

    @operation("session_end", "End one of your sessions", responses={204: None})
    def delete(self, request: Request, session_id: str) -> Response:
        """End a session of the current user. Its streams end, too."""
        return _end(request, principal(request), session_id)


class UserSessionListView(ConsoleView):
    """Sessions of any user."""

    permissions = {"GET": Permission.AUDIT}

    @operation("user_session_list", "List the sessions of a user", responses=SessionPageSerializer)
    def get(self, request: Request, username: str) -> Response:
        """List the sessions of a user that have not ended."""
        return _sessions(request, selectors.user_named(username))


class UserSessionView(ConsoleView):
    """One session of any user."""

    permissions = {"DELETE": Permission.USERS}

    @operation("user_session_end", "End a session of a user", responses={204: None})
    def delete(self, request: Request, username: str, session_id: str) -> Response:
        """End a session of any user. Its streams end, too."""
        return _end(request, selectors.user_named(username), session_id)
