"""The REST views of the current user's second factors and of the proof of a session. A token is refused."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import forbidden
from backend.common.rest.operations import operation
from backend.common.rest.proof import RecentProof
from backend.common.rest.serializers import EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.identity.accounts.models import SignIn, User
from backend.identity.accounts.principal import principal
from backend.identity.second_factors import ceremony, enrolment, passkeys, selectors, services
from backend.identity.second_factors.serializers import (
    CodeSerializer,
    OptionsSerializer,
    PasskeyCreateSerializer,
    ProofSerializer,
    RecoveryCodesSerializer,
    SecondFactorsSerializer,
    TotpSecretSerializer,
)
from backend.identity.second_factors.views import FACTOR_CODES, options

_PROVEN = ("session_needed", "step_up_needed")


def _of_session(request: Request) -> tuple[HttpRequest, User]:
    """Django's request and the user of its session."""
    if not isinstance(request.auth, SignIn):
        raise forbidden(
            "session_needed", "An API token has no second factor and can change none. Nothing was done. Sign in."
        )
    return request._request, principal(request)  # noqa: SLF001 -- DRF offers no other way to it


class _OwnView(ConsoleView):
    """Open to a session that lacks the second factor which it is to add."""

    keyed = False
    open_without_factor = True


class ProofView(_OwnView):
    """The proof that the user of the session is present."""

    permissions = {"POST": Permission.SESSION}

    @operation(
        "session_prove",
        "Confirm that it is you",
        codes=("session_needed", "wrong_credentials", "sign_in_busy", *FACTOR_CODES),
        request=ProofSerializer,
        responses={204: None},
    )
    def post(self, request: Request) -> Response:
        """Give a second factor again, or without one the password, after `step_up_needed`. Then repeat that call."""
        of_django, user = _of_session(request)
        [(way, given)] = validated_body(request, ProofSerializer).items()
        services.prove(of_django, user, way=way, given=given)
        return Response(status=204)


class ProofOptionsView(_OwnView):
    """The challenge for a proof by passkey."""

    permissions = {"POST": Permission.SESSION}

    @operation(
        "session_prove_options",
        "Get passkey options for a proof",
        codes=("session_needed",),
        request=EmptySerializer,
        responses=OptionsSerializer,
    )
    def post(self, request: Request) -> Response:
        """Get a challenge for one of your passkeys."""
        of_django, user = _of_session(request)
        validated_body(request, EmptySerializer)
        return options(ceremony.options_to_get(of_django, services.PROOF, passkeys.of_host(of_django, user)))


class OwnFactorsView(_OwnView):
    """The second factors of the current user."""

    permissions = {"GET": Permission.SESSION}

    @operation("second_factors_read", "Get your second factors", responses=SecondFactorsSerializer)
    def get(self, request: Request) -> Response:
        """Get the second factors of the current user, without secrets."""
        return respond(SecondFactorsSerializer, selectors.factors_of(principal(request)))


class _Enrolment(_OwnView):
    recent_proof = {"POST": RecentProof.ALWAYS, "DELETE": RecentProof.ALWAYS}


def _codes(codes: list[str]) -> Response:
    return respond(RecoveryCodesSerializer, {"recovery_codes": codes}, status=201)


class AppSecretView(_Enrolment):
    """The secret of a new authenticator app."""

    permissions = {"POST": Permission.SESSION}

    @operation(
        "second_factor_app_begin",
        "Begin to add an authenticator app",
        codes=(*_PROVEN, "app_exists"),
        request=EmptySerializer,
        responses=TotpSecretSerializer,
    )
    def post(self, request: Request) -> Response:
        """Get a secret for an app. It counts once a code of the app was sent."""
        of_django, user = _of_session(request)
        validated_body(request, EmptySerializer)
        return respond(TotpSecretSerializer, enrolment.totp_begin(of_django, user))


class AppView(_Enrolment):
    """The authenticator app of the current user."""

    permissions = {"POST": Permission.SESSION, "DELETE": Permission.SESSION}

    @operation(
        "second_factor_app_add",
        "Add the authenticator app",
        codes=(*_PROVEN, "app_exists", "not_begun", "wrong_second_factor"),
        request=CodeSerializer,
        responses={201: RecoveryCodesSerializer},
    )
    def post(self, request: Request) -> Response:
        """Send a code of the app to add it. With the first second factor come recovery codes, shown once."""
        of_django, user = _of_session(request)
        return _codes(enrolment.totp_add(of_django, user, **validated_body(request, CodeSerializer)))

    @operation(
        "second_factor_app_remove",
        "Remove your authenticator app",
        codes=(*_PROVEN, "last_second_factor"),
        responses={204: None},
    )
    def delete(self, request: Request) -> Response:
        """Remove the app. Its codes are not accepted any more."""
        enrolment.totp_remove(_of_session(request)[1])
        return Response(status=204)


class PasskeyOptionsView(_Enrolment):
    """The challenge for a new passkey."""

    permissions = {"POST": Permission.SESSION}

    @operation(
        "second_factor_passkey_begin",
        "Begin to add a passkey",
        codes=_PROVEN,
        request=EmptySerializer,
        responses=OptionsSerializer,
    )
    def post(self, request: Request) -> Response:
        """Get options for a new passkey of this console's host name."""
        of_django, user = _of_session(request)
        validated_body(request, EmptySerializer)
        return options(ceremony.options_to_create(of_django, user, passkeys.of_host(of_django, user)))


class PasskeyListView(_Enrolment):
    """The passkeys of the current user."""

    permissions = {"POST": Permission.SESSION}

    @operation(
        "second_factor_passkey_add",
        "Add a passkey",
        codes=(*_PROVEN, "not_begun", "passkey_refused", "too_many_passkeys"),
        request=PasskeyCreateSerializer,
        responses={201: RecoveryCodesSerializer},
    )
    def post(self, request: Request) -> Response:
        """Send what the browser returned. With the first second factor come recovery codes, shown once."""
        of_django, user = _of_session(request)
        return _codes(enrolment.passkey_add(of_django, user, **validated_body(request, PasskeyCreateSerializer)))


class PasskeyView(_Enrolment):
    """One passkey of the current user."""

    permissions = {"DELETE": Permission.SESSION}

    @operation(
        "second_factor_passkey_remove",
        "Remove a passkey",
        codes=(*_PROVEN, "last_second_factor"),
        responses={204: None},
    )
    def delete(self, request: Request, passkey_id: str) -> Response:
        """Remove a passkey. It is not accepted any more."""
        enrolment.passkey_remove(_of_session(request)[1], passkey_id)
        return Response(status=204)


class RecoveryCodesView(_Enrolment):
    """The recovery codes of the current user."""

    permissions = {"POST": Permission.SESSION}

    @operation(
        "second_factor_recovery_codes",
        "Make new recovery codes",
        codes=(*_PROVEN, "no_second_factor"),
        request=EmptySerializer,
        responses={201: RecoveryCodesSerializer},
    )
    def post(self, request: Request) -> Response:
        """Make ten new recovery codes, shown once. The earlier ones end."""
        _, user = _of_session(request)
        validated_body(request, EmptySerializer)
        return _codes(enrolment.recovery_codes_renew(user))
