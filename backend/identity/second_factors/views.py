"""The REST views of second factors: sign-in, proof, and the factors of the current user and of others."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_protect
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import not_found
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.identity.accounts.principal import principal
from backend.identity.accounts.selectors import user_named
from backend.identity.accounts.serializers import MeSerializer
from backend.identity.accounts.services import factors_remove
from backend.identity.accounts.views import signed_in
from backend.identity.second_factors import ceremony, passkeys, selectors, services
from backend.identity.second_factors.serializers import (
    FactorSerializer,
    OptionsSerializer,
    PasskeySignInSerializer,
    SecondFactorsSerializer,
)

FACTOR_CODES = ("wrong_second_factor", "passkey_refused", "not_begun", "too_many_attempts")


def options(public_key: dict[str, Any]) -> Response:
    """Options for the browser."""
    return respond(OptionsSerializer, {"public_key": public_key})


@method_decorator(csrf_protect, name="dispatch")
class SecondFactorView(ConsoleView):
    """The second factor of a sign-in that waits for it."""

    permissions = {"POST": None}
    keyed = False
    open_without_factor = True

    @operation(
        "session_second_factor",
        "Finish a sign-in",
        codes=FACTOR_CODES,
        request=FactorSerializer,
        responses=MeSerializer,
    )
    def post(self, request: Request) -> Response:
        """Give the second factor after `second_factor_needed`, with the same cookie. The session begins."""
        user = services.waiting_user(request._request)  # noqa: SLF001
        given = validated_body(request, FactorSerializer)
        return signed_in(request, services.sign_in_complete(request._request, user, **given))  # noqa: SLF001


@method_decorator(csrf_protect, name="dispatch")
class SecondFactorOptionsView(ConsoleView):
    """The challenge for the passkey of a sign-in that waits for it."""

    permissions = {"POST": None}
    keyed = False
    open_without_factor = True

    @operation(
        "session_second_factor_options",
        "Get passkey options for the second factor",
        request=EmptySerializer,
        responses=OptionsSerializer,
    )
    def post(self, request: Request) -> Response:
        """Get a challenge for one of the user's passkeys."""
        of_django = request._request  # noqa: SLF001
        user = services.waiting_user(of_django)
        validated_body(request, EmptySerializer)
        return options(ceremony.options_to_get(of_django, services.SECOND, passkeys.of_host(of_django, user)))


def _need_passkey_sign_in() -> None:
    if not settings.HAWSER_PASSKEY_SIGN_IN:
        raise not_found("sign-in with a passkey")


@method_decorator(csrf_protect, name="dispatch")
class PasskeySignInView(ConsoleView):
    """Sign-in with a passkey, without a password."""

    permissions = {"POST": None}
    keyed = False
    open_without_factor = True

    @operation(
        "session_passkey",
        "Sign in with a passkey",
        codes=("passkey_refused", "not_begun", "too_many_attempts"),
        request=PasskeySignInSerializer,
        responses=MeSerializer,
    )
    def post(self, request: Request) -> Response:
        """Sign in with a passkey alone. 404 if `HAWSER_PASSKEY_SIGN_IN` is off."""
        _need_passkey_sign_in()
        given = validated_body(request, PasskeySignInSerializer)
        return signed_in(request, services.sign_in_with_passkey(request._request, **given))  # noqa: SLF001


@method_decorator(csrf_protect, name="dispatch")
class PasskeySignInOptionsView(ConsoleView):
    """The challenge of a sign-in with a passkey."""

    permissions = {"POST": None}
    keyed = False
    open_without_factor = True

    @operation(
        "session_passkey_options",
        "Get passkey options for sign-in",
        request=EmptySerializer,
        responses=OptionsSerializer,
    )
    def post(self, request: Request) -> Response:
        """Get a challenge for any passkey of this console. 404 if `HAWSER_PASSKEY_SIGN_IN` is off."""
        _need_passkey_sign_in()
        validated_body(request, EmptySerializer)
        return options(services.sign_in_options(request._request))  # noqa: SLF001


class UserSecondFactorsView(ConsoleView):
    """The second factors of any user."""

    permissions = {"GET": Permission.USERS, "DELETE": Permission.USERS}

    @operation("user_second_factors", "Get the second factors of a user", responses=SecondFactorsSerializer)
    def get(self, request: Request, username: str) -> Response:
        """Get the second factors of a user, without secrets."""
        return respond(SecondFactorsSerializer, selectors.factors_of(user_named(username)))

    @operation(
        "user_second_factors_remove",
        "Remove the second factors of a user",
        codes=("own_change_waits",),
        responses={204: None, 409: ConflictSerializer},
    )
    def delete(self, request: Request, username: str) -> Response:
        """Remove all second factors of a user who lost the device. All sessions and tokens of the user end.

        Until a second administrator confirms it or the waiting time is over, the user does not count as a second
        person.
        """
        factors_remove(actor=principal(request).username, user=user_named(username))
        return Response(status=204)
