"""Sign-in and users over HTTP."""

from __future__ import annotations

from django.middleware.csrf import get_token
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts import known_browser, selectors, services
from backend.accounts.models import SignIn
from backend.accounts.principal import principal
from backend.accounts.serializers import (
    MeSerializer,
    PasswordChangeSerializer,
    SignInSerializer,
    UserCreateSerializer,
    UserPageSerializer,
    UserSerializer,
    UserUpdateSerializer,
)
from backend.common.errors import forbidden
from backend.common.rest.serializers import EmptySerializer, ProblemSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission


@method_decorator(csrf_protect, name="dispatch")
class SessionView(ConsoleView):
    """The page's sign-in; reading it sets the CSRF cookie, signed in or not."""

    permissions = {"GET": None, "POST": None, "DELETE": Permission.SESSION}
    keyed = False

    @extend_schema(operation_id="session_read", responses={200: MeSerializer, 401: ProblemSerializer})
    def get(self, request: Request) -> Response:
        """Who is signed in; 401 if nobody."""
        get_token(request._request)  # noqa: SLF001 -- DRF offers no other way to Django's request
        return respond(MeSerializer, selectors.me(principal(request)))

    @extend_schema(operation_id="session_open", request=SignInSerializer, responses=MeSerializer)
    def post(self, request: Request) -> Response:
        """Sign in."""
        given = validated_body(request, SignInSerializer)
        user = services.session_open(request=request._request, **given)  # noqa: SLF001
        answer = respond(MeSerializer, selectors.me(user))
        known_browser.remember(request._request, answer, user)  # noqa: SLF001
        return answer

    @extend_schema(operation_id="session_close", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Sign out."""
        services.session_close(request=request._request, user=principal(request))  # noqa: SLF001
        return Response(status=204)


class PasswordView(ConsoleView):
    """The caller's own password."""

    permissions = {"POST": Permission.SESSION}
    keyed = False

    @extend_schema(operation_id="password_change", request=PasswordChangeSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """Change it; all other sessions and all tokens of the caller end. Only from a session."""
        if not isinstance(request.auth, SignIn):
            raise forbidden("session_needed", "A token cannot change a password; sign in with the present one.")
        given = validated_body(request, PasswordChangeSerializer)
        services.password_change(request=request._request, user=principal(request), **given)  # noqa: SLF001
        return Response(status=204)


class UserListView(ConsoleView):
    """Users of the console."""

    permissions = {"GET": Permission.USERS, "POST": Permission.USERS}
    keyed = False

    @extend_schema(operation_id="user_list", responses=UserPageSerializer)
    def get(self, request: Request) -> Response:
        """All of them."""
        return respond(UserPageSerializer, {"results": selectors.users(), "next": None})

    @extend_schema(operation_id="user_create", request=UserCreateSerializer, responses={201: UserSerializer})
    def post(self, request: Request) -> Response:
        """Add one."""
        given = validated_body(request, UserCreateSerializer)
        user = services.user_create(
            actor=principal(request).username,
            username=given["username"],
            role=given["role"],
            password=given.get("password"),
        )
        return respond(UserSerializer, user, status=201)


class UserView(ConsoleView):
    """One user."""

    permissions = {"PATCH": Permission.USERS}
    keyed = False

    @extend_schema(operation_id="user_update", request=UserUpdateSerializer, responses=UserSerializer)
    def patch(self, request: Request, username: str) -> Response:
        """Change role, password or whether it may sign in; takes effect with its next request."""
        user = selectors.user_named(username)
        changes = validated_body(request, UserUpdateSerializer)
        services.user_update(actor=principal(request).username, user=user, **changes)
        return respond(UserSerializer, user)


class UserUnlockView(ConsoleView):
    """A user whose sign-in is refused for too many failures."""

    permissions = {"POST": Permission.USERS}

    @extend_schema(operation_id="user_unlock", request=EmptySerializer, responses=UserSerializer)
    def post(self, request: Request, username: str) -> Response:
        """Forget its failed sign-ins: it may try again at once, from anywhere its address is not refused."""
        user = selectors.user_named(username)
        validated_body(request, EmptySerializer)
        services.user_unlock(actor=principal(request).username, user=user)
        return respond(UserSerializer, user)
