"""The REST views of sign-in and users."""

from __future__ import annotations

from typing import Any

from django.middleware.csrf import get_token
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import forbidden
from backend.common.rest.operations import operation
from backend.common.rest.serializers import EmptySerializer, ProblemSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.identity.accounts import known_browser, proof_permission, second_factor, selectors, services
from backend.identity.accounts.models import SignIn, User
from backend.identity.accounts.principal import principal
from backend.identity.accounts.serializers import (
    MeSerializer,
    PasswordChangeSerializer,
    SignInSerializer,
    UpdatedUserSerializer,
    UserCreateSerializer,
    UserListQuerySerializer,
    UserPageSerializer,
    UserSerializer,
    UserUpdateSerializer,
)


def signed_in(request: Request, user: User) -> Response:
    """The answer to a sign-in; it lets the browser be known the next time."""
    must_add = proof_permission.must_add_factor(request._request, user)  # noqa: SLF001
    answer = respond(MeSerializer, selectors.me(user, must_add_factor=must_add))
    known_browser.remember(request._request, answer, user)  # noqa: SLF001
    return answer


def me_of(request: Request) -> dict[str, Any]:
    """The current user; only a session can lack a second factor."""
    user = principal(request)
    of_session = isinstance(request.auth, SignIn)
    must_add = of_session and proof_permission.must_add_factor(request._request, user)  # noqa: SLF001
    return selectors.me(user, must_add_factor=must_add, of_session=of_session)


@method_decorator(csrf_protect, name="dispatch")
class SessionView(ConsoleView):
    """The session of the page. Reading it sets the CSRF cookie, also without a sign-in."""

    permissions = {"GET": None, "POST": None, "DELETE": Permission.SESSION}
    keyed = False
    open_without_factor = True

    @operation(
        "session_read",
        "Get the current user",
        codes=("not_authenticated", "second_factor_needed"),
        responses={200: MeSerializer, 401: ProblemSerializer},
    )
    def get(self, request: Request) -> Response:
        """Get the user who is signed in. This call also sets the CSRF cookie."""
        get_token(request._request)  # noqa: SLF001 -- DRF offers no other way to Django's request
        if not isinstance(request.user, User) and (waiting := second_factor.pending_user(request._request)):  # noqa: SLF001
            raise second_factor.needed(second_factor.factors().ways_of(waiting))
        return respond(MeSerializer, me_of(request))

    @operation(
        "session_open",
        "Sign in",
        codes=(
            "wrong_credentials",
            "second_factor_needed",
            "too_many_attempts",
            "sign_in_busy",
            "local_sign_in_closed",
            "initial_password_ended",
            "provider_unavailable",
            "no_role_by_group",
            "provider_name_taken",
            "provider_name_refused",
        ),
        request=SignInSerializer,
        responses=MeSerializer,
    )
    def post(self, request: Request) -> Response:
        """Sign in with user name and password. The response sets the session cookie.

        A user with a second factor gets `second_factor_needed` and gives it with the same cookie.
        """
        given = validated_body(request, SignInSerializer)
        user = services.session_open(request=request._request, **given)  # noqa: SLF001
        return signed_in(request, user)

    @operation("session_close", "Sign out", responses={204: None})
    def delete(self, request: Request) -> Response:
        """End the current session."""
        services.session_close(request=request._request, user=principal(request))  # noqa: SLF001
        return Response(status=204)


class PasswordView(ConsoleView):
    """The password of the caller."""

    permissions = {"POST": Permission.SESSION}
    keyed = False
    open_without_factor = True

    @operation(
        "password_change",
        "Change your password",
        codes=(
            "session_needed",
            "wrong_credentials",
            "too_many_attempts",
            "sign_in_busy",
            "managed_by_provider",
        ),
        request=PasswordChangeSerializer,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        """Change the password of the current user. Needs a session; a token cannot change a password.

        All other sessions and all tokens of the user end.
        """
        if not isinstance(request.auth, SignIn):
            raise forbidden(
                "session_needed",
                "An API token cannot change a password. The password is unchanged. Sign in with your current password.",
            )
        given = validated_body(request, PasswordChangeSerializer)
        services.password_change(request=request._request, user=principal(request), **given)  # noqa: SLF001
        return Response(status=204)


class UserListView(ConsoleView):
    """Users of Hawser."""

    permissions = {"GET": Permission.AUDIT, "POST": Permission.USERS}
    keyed = False

    @operation("user_list", "List users", parameters=[UserListQuerySerializer], responses=UserPageSerializer)
    def get(self, request: Request) -> Response:
        """List users by name: all, or with `limit` a page of them."""
        asked = validated_query(request, UserListQuerySerializer)
        return respond(UserPageSerializer, selectors.user_page(**asked))

    @operation(
        "user_create",
        "Create a user",
        codes=("user_exists",),
        request=UserCreateSerializer,
        responses={201: UserSerializer},
    )
    def post(self, request: Request) -> Response:
        """Create a user. Without a password the user can use API tokens only. With an owner it is a service account.

        A user with the role approver or higher counts as a second person after a waiting time, or when a second
        administrator confirms it.
        """
        given = validated_body(request, UserCreateSerializer)
        user = services.user_create(
            actor=principal(request).username,
            username=given["username"],
            role=given["role"],
            password=given.get("password"),
            service_of=selectors.owner_named(given.get("owner"), given.get("owner_team")),
        )
        return respond(UserSerializer, user, status=201)


class UserView(ConsoleView):
    """One user."""

    permissions = {"PATCH": Permission.USERS}
    keyed = False

    @operation(
        "user_update",
        "Update a user",
        codes=("last_administrator", "managed_by_provider", "not_of_provider", "own_change_waits"),
        request=UserUpdateSerializer,
        responses=UpdatedUserSerializer,
    )
    def patch(self, request: Request, username: str) -> Response:
        """Change role, password, accounts of the host, or whether the user can sign in.

        A new role, a new password and disabling the user end all sessions and tokens of the user. Second factors stay,
        unless `ends_factors` is sent with a password; the response counts them. An administrator
        cannot be demoted, disabled or given a new password by who requested a protected change that still waits.
        """
        user = selectors.user_named(username)
        changes = validated_body(request, UserUpdateSerializer)
        services.user_update(actor=principal(request).username, user=user, **changes)
        return respond(UpdatedUserSerializer, user)


class UserUnlockView(ConsoleView):
    """The lock of a user after too many failed sign-ins."""

    permissions = {"POST": Permission.USERS}

    @operation("user_unlock", "Unlock a user", request=EmptySerializer, responses=UserSerializer)
    def post(self, request: Request, username: str) -> Response:
        """Clear the failed sign-ins of a user. The user can sign in again at once."""
        user = selectors.user_named(username)
        validated_body(request, EmptySerializer)
        services.user_unlock(actor=principal(request).username, user=user)
        return respond(UserSerializer, user)
