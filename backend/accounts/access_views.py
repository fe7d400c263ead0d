"""Tokens and sessions over HTTP: one's own, and for administrators everybody's."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts import selectors, sign_ins, token_services
from backend.accounts.models import SignIn, User
from backend.accounts.principal import principal
from backend.accounts.serializers import (
    NewTokenSerializer,
    SessionPageSerializer,
    TokenCreateSerializer,
    TokenPageSerializer,
    TokenSerializer,
)
from backend.audit import services as audit
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission


class TokenListView(ConsoleView):
    """The caller's own tokens."""

    permissions = {"GET": Permission.TOKENS, "POST": Permission.TOKENS}
    keyed = False

    @extend_schema(operation_id="token_list", responses=TokenPageSerializer)
    def get(self, request: Request) -> Response:
        """All that still work."""
        return respond(TokenPageSerializer, {"results": selectors.tokens_of(principal(request)), "next": None})

    @extend_schema(operation_id="token_create", request=TokenCreateSerializer, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """Make one; the secret is in this answer and nowhere else."""
        given = validated_body(request, TokenCreateSerializer)
        token, secret = token_services.token_create(
            owner=principal(request),
            actor=principal(request).username,
            label=given["label"],
            role=given.get("role"),
            expires_days=given.get("expires_days"),
        )
        shown = dict(TokenSerializer(token).data) | {"token": secret}
        return Response(shown, status=201)


class TokenView(ConsoleView):
    """One token of the caller."""

    permissions = {"DELETE": Permission.TOKENS}

    @extend_schema(operation_id="token_revoke", responses={204: None})
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke it."""
        token = selectors.token_of(principal(request), token_id)
        token_services.token_revoke(actor=principal(request).username, token=token)
        return Response(status=204)


class UserTokenListView(ConsoleView):
    """Tokens of any user."""

    permissions = {"GET": Permission.USERS}

    @extend_schema(operation_id="user_token_list", responses=TokenPageSerializer)
    def get(self, request: Request, username: str) -> Response:
        """All that still work."""
        tokens = selectors.tokens_of(selectors.user_named(username))
        return respond(TokenPageSerializer, {"results": tokens, "next": None})


class UserTokenView(ConsoleView):
    """One token of any user."""

    permissions = {"DELETE": Permission.USERS}

    @extend_schema(operation_id="user_token_revoke", responses={204: None})
    def delete(self, request: Request, username: str, token_id: str) -> Response:
        """Revoke it."""
        token = selectors.token_of(selectors.user_named(username), token_id)
        token_services.token_revoke(actor=principal(request).username, token=token)
        return Response(status=204)


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

    @extend_schema(operation_id="session_list", responses=SessionPageSerializer)
    def get(self, request: Request) -> Response:
        """All that still work."""
        return _sessions(request, principal(request))


class OneSessionView(ConsoleView):
    """One session of the caller."""

    permissions = {"DELETE": Permission.SESSION}

    @extend_schema(operation_id="session_end", responses={204: None})
    def delete(self, request: Request, session_id: str) -> Response:
        """End it."""
        return _end(request, principal(request), session_id)


class UserSessionListView(ConsoleView):
    """Sessions of any user."""

    permissions = {"GET": Permission.USERS}

    @extend_schema(operation_id="user_session_list", responses=SessionPageSerializer)
    def get(self, request: Request, username: str) -> Response:
        """All that still work."""
        return _sessions(request, selectors.user_named(username))


class UserSessionView(ConsoleView):
    """One session of any user."""

    permissions = {"DELETE": Permission.USERS}

    @extend_schema(operation_id="user_session_end", responses={204: None})
    def delete(self, request: Request, username: str, session_id: str) -> Response:
        """End it."""
        return _end(request, selectors.user_named(username), session_id)
