"""`ProofPermission` refuses a session without first steps or second factor, and an action whose proof is too old."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.http import HttpRequest
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from backend.common.errors import ProblemError, forbidden
from backend.common.rest.proof import RecentProof
from backend.identity.accounts import first_steps, session_proof
from backend.identity.accounts.models import SignIn, User
from backend.identity.accounts.principal import principal
from backend.identity.accounts.second_factor import factors

DEFAULT_MAX_AGE_S: Final = 900


class ProofPermission(BasePermission):
    """Asks `proof_for` and `open_without_factor` of the view. API tokens are not asked."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Raise the problem that names what is missing."""
        if not isinstance(request.auth, SignIn):
            return True
        user, of_django = principal(request), request._request  # noqa: SLF001 -- DRF offers no other way to it
        if not view.open_without_factor:
            first_steps.check(user)
            _check_factor(of_django, user)
        needed = view.proof_for(str(request.method), getattr(of_django.resolver_match, "route", ""))
        if needed is not None:
            check_recent(of_django, user, max_age_s=_max_age_s(needed))
        return True


def check_recent(request: HttpRequest, user: User, *, max_age_s: float) -> None:
    """Raise `step_up_needed` if the last proof of the session is older; 0 means no limit.

    Of a user with a factor only a factor counts: a sign-in by a provider can be by its password alone.
    """
    proof = session_proof.of(request)
    if not max_age_s or (proof.is_recent(max_age_s) and (proof.factor or not factors().ways_of(user))):
        return
    raise _step_up(user)


def must_add_factor(request: HttpRequest, user: User) -> bool:
    """Whether the session can only add a second factor; a user who has one is asked for it instead."""
    return session_proof.lacks_factor(request, user) and not factors().ways_of(user)


def ways_to_prove(user: User) -> list[str]:
    """How the user can prove to be present: a factor; without one the password; without both a new sign-in."""
    return factors().ways_of(user) or (["password"] if user.has_usable_password() else ["sign_in"])


def _check_factor(request: HttpRequest, user: User) -> None:
    if not session_proof.lacks_factor(request, user):
        return
    if factors().ways_of(user):
        raise _step_up(user)
    raise forbidden(
        "second_factor_enrolment_needed",
        f"Users with the role {user.role} need a second factor. Add one under Account; until then nothing else can "
        "be done in this session.",
    )


def _step_up(user: User) -> ProblemError:
    return forbidden(
        "step_up_needed",
        "Your last proof in this session is too old. Nothing was done. Confirm that it is you, then repeat the call.",
        ways=ways_to_prove(user),
    )


def _max_age_s(needed: RecentProof) -> float:
    configured = float(settings.HAWSER_STEP_UP_S)
    return configured if needed is RecentProof.CONFIGURED else configured or DEFAULT_MAX_AGE_S
