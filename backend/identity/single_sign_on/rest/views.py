"""The REST views of sign-in by a provider."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from rest_framework.parsers import FormParser
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import not_found
from backend.common.rest.operations import operation
from backend.common.rest.serializers import EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.identity.accounts import proof_permission, selectors, services
from backend.identity.accounts.models import SignIn
from backend.identity.accounts.principal import principal
from backend.identity.accounts.serializers import MeSerializer
from backend.identity.single_sign_on.ldap import directory
from backend.identity.single_sign_on.oidc import flow, logout, provider
from backend.identity.single_sign_on.oidc.errors import ProviderError
from backend.identity.single_sign_on.rest.serializers import (
    AuthorizationSerializer,
    CallbackSerializer,
    EndSessionSerializer,
    LogoutTokenSerializer,
    SignInMethodsSerializer,
)


class SignInMethodsView(ConsoleView):
    """The ways to sign in."""

    permissions = {"GET": None}

    @operation("sign_in_methods", "List the ways to sign in", responses=SignInMethodsSerializer)
    def get(self, request: Request) -> Response:
        """List the ways to sign in, and whether the provider answers."""
        return respond(
            SignInMethodsSerializer,
            {
                "local": settings.HAWSER_LOCAL_SIGN_IN,
                "oidc": _offered() if provider.is_configured() else None,
                "directory": settings.HAWSER_LDAP_NAME if directory.is_configured() else None,
            },
        )


def _offered() -> dict[str, Any]:
    try:
        provider.metadata()
    except ProviderError as error:
        return {"name": settings.HAWSER_OIDC_NAME, "is_available": False, "problem": str(error)}
    return {"name": settings.HAWSER_OIDC_NAME, "is_available": True, "problem": ""}


@method_decorator(csrf_protect, name="dispatch")
class OidcView(ConsoleView):
    """The beginning of a sign-in at the OpenID Connect provider."""

    permissions = {"POST": None}
    keyed = False

    @operation(
        "oidc_begin",
        "Begin a sign-in at the provider",
        codes=("provider_unavailable",),
        request=EmptySerializer,
        responses=AuthorizationSerializer,
    )
    def post(self, request: Request) -> Response:
        """Get the address at the provider. The response sets a cookie; only the same browser can finish the sign-in."""
        validated_body(request, EmptySerializer)
        _refuse_unless_configured()
        url, content = flow.begin()
        answer = respond(AuthorizationSerializer, {"authorization_url": url})
        flow.remember(answer, content)
        return answer


@method_decorator(csrf_protect, name="dispatch")
class OidcCallbackView(ConsoleView):
    """The end of a sign-in at the OpenID Connect provider."""

    permissions = {"POST": None}
    keyed = False

    @operation(
        "oidc_finish",
        "Finish a sign-in at the provider",
        codes=(
            "provider_unavailable",
            "provider_refused",
            "no_role_by_group",
            "provider_name_taken",
            "provider_name_refused",
            "user_disabled",
        ),
        request=CallbackSerializer,
        responses=MeSerializer,
    )
    def post(self, request: Request) -> Response:
        """Sign in with what the provider sent the browser back with. The response sets the session cookie."""
        given = validated_body(request, CallbackSerializer)
        _refuse_unless_configured()
        user = flow.finish(request=request._request, given=given)  # noqa: SLF001
        must_add = proof_permission.must_add_factor(request._request, user)  # noqa: SLF001
        answer = respond(MeSerializer, selectors.me(user, must_add_factor=must_add))
        flow.remember(answer, "")
        return answer


class OidcSignOutView(ConsoleView):
    """The end of a session here and at the OpenID Connect provider."""

    permissions = {"POST": Permission.SESSION}
    keyed = False
    open_without_factor = True

    @operation(
        "oidc_sign_out", "Sign out here and at the provider", request=EmptySerializer, responses=EndSessionSerializer
    )
    def post(self, request: Request) -> Response:
        """End the current session. The response names the address that ends the one at the provider."""
        validated_body(request, EmptySerializer)
        url = logout.end_session_url(request.auth) if isinstance(request.auth, SignIn) else None
        services.session_close(request=request._request, user=principal(request))  # noqa: SLF001
        return respond(EndSessionSerializer, {"end_session_url": url})


class BackChannelLogoutView(ConsoleView):
    """Called by the provider (OpenID Connect Back-Channel Logout 1.0)."""

    permissions = {"POST": None}
    keyed = False
    authentication_classes = []
    parser_classes = [FormParser]

    @operation(
        "oidc_back_channel_logout",
        "End sessions by a logout token",
        codes=("logout_token_refused", "provider_unavailable"),
        request={"application/x-www-form-urlencoded": LogoutTokenSerializer},
        responses={200: None},
    )
    def post(self, request: Request) -> Response:
        """End the sessions that a logout token of the provider names, and their streams. A token works once."""
        _refuse_unless_configured()
        given = validated_body(request, LogoutTokenSerializer)
        logout.back_channel(given["logout_token"])
        return Response(status=200)


def _refuse_unless_configured() -> None:
    if not provider.is_configured():
        raise not_found("OpenID Connect provider")
