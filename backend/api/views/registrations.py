"""The REST views of guided registrations. Calls with a password are not stored for repetition."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.rest.atomic_response import stored_with_effect
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.registration.guide.accounts import draft_create_accounts, draft_enter_accounts
from backend.registration.guide.checking import draft_check
from backend.registration.guide.discovery import draft_discover
from backend.registration.guide.drafts import draft_create, draft_delete, draft_get, draft_update, drafts
from backend.registration.guide.registering import draft_register
from backend.registration.guide.serializers import (
    DraftCreateAccountsSerializer,
    DraftDiscoverSerializer,
    DraftEnterAccountsSerializer,
    DraftInSerializer,
    DraftPageSerializer,
    DraftRegisterSerializer,
    DraftSerializer,
    DraftStepSerializer,
    DraftUpdateSerializer,
)
from backend.registration.guide.takeover import draft_take_over
from backend.registration.guide.views import brief_view, draft_view
from backend.registration.models import RegistrationDraft

NOT_AS_SEEN = ("registration_done", "registration_of_another", "endpoints_changed")


def _answer(draft: RegistrationDraft, *, status: int = 200) -> Response:
    return respond(DraftSerializer, draft_view(draft), status=status)


class RegistrationListView(ConsoleView):
    """Guided registrations."""

    permissions = {"GET": Permission.CLUSTERS, "POST": Permission.CLUSTERS}

    @operation("registration_list", "List guided registrations", responses=DraftPageSerializer)
    def get(self, request: Request) -> Response:
        """List those that have not expired, the newest first."""
        return respond(DraftPageSerializer, {"results": [brief_view(one) for one in drafts()], "next": None})

    @operation(
        "registration_start",
        "Start a guided registration",
        codes=("too_many_registrations", "address_refused"),
        request=DraftInSerializer,
        responses={201: DraftSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def post(self, request: Request) -> Response:
        """Store what is known of two clusters and their link. Nothing is connected to.

        It is deleted seven days after its last change.
        """
        given = validated_body(request, DraftInSerializer)
        return _answer(draft_create(actor=request.user.get_username(), given=given), status=201)


class RegistrationView(ConsoleView):
    """One guided registration."""

    permissions = {"GET": Permission.CLUSTERS, "PATCH": Permission.CLUSTERS, "DELETE": Permission.CLUSTERS}

    @operation("registration_read", "Get a guided registration", responses=DraftSerializer)
    def get(self, request: Request, registration_id: str) -> Response:
        """Get what was typed and found, the statements that would be sent, and what is open."""
        return _answer(draft_get(registration_id))

    @operation(
        "registration_update",
        "Change a guided registration",
        codes=(*NOT_AS_SEEN, "address_refused"),
        request=DraftUpdateSerializer,
        responses={200: DraftSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def patch(self, request: Request, registration_id: str) -> Response:
        """Store what was typed; what is not named stays. What was found for another value is forgotten."""
        given = validated_body(request, DraftUpdateSerializer)
        seen = given.pop("endpoints_digest", None)
        actor = request.user.get_username()
        return _answer(draft_update(actor=actor, draft_id=registration_id, given=given, seen=seen))

    @operation(
        "registration_delete",
        "Delete a guided registration",
        codes=("registration_of_another",),
        responses={204: None, 409: ConflictSerializer},
    )
    @stored_with_effect
    def delete(self, request: Request, registration_id: str) -> Response:
        """Delete it with its stored accounts. Accounts that were created stay on the servers."""
        draft_delete(actor=request.user.get_username(), draft_id=registration_id)
        return Response(status=204)


class RegistrationTakeoverView(ConsoleView):
    """A guided registration of another user."""

    permissions = {"POST": Permission.CLUSTERS}

    @operation(
        "registration_take_over",
        "Take over a guided registration",
        codes=("registration_done",),
        request=EmptySerializer,
        responses={200: DraftSerializer, 409: ConflictSerializer},
    )
    @stored_with_effect
    def post(self, request: Request, registration_id: str) -> Response:
        """Become its owner, who alone changes it and uses passwords in it. Recorded, and told to whoever it was."""
        validated_body(request, EmptySerializer)
        return _answer(draft_take_over(actor=request.user.get_username(), draft_id=registration_id))


class RegistrationDiscoverView(ConsoleView):
    """The discovery of a cluster."""

    permissions = {"POST": Permission.CLUSTERS}
    keyed = False

    @operation(
        "registration_discover",
        "Discover a cluster",
        codes=(*NOT_AS_SEEN, "discovery_failed", "address_refused"),
        request=DraftDiscoverSerializer,
        responses={200: DraftSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, registration_id: str) -> Response:
        """Log in once to the node of the draft and to every member that it names. Reads only.

        The password is used for this call, and stored, logged and audited nowhere.
        """
        given = validated_body(request, DraftDiscoverSerializer)
        return _answer(draft_discover(actor=request.user.get_username(), draft_id=registration_id, **given))


class RegistrationAccountsView(ConsoleView):
    """The three accounts of a cluster."""

    permissions = {"POST": Permission.CLUSTERS, "PUT": Permission.CLUSTERS}
    keyed = False

    @operation(
        "registration_create_accounts",
        "Create the accounts of a cluster",
        codes=(
            *NOT_AS_SEEN,
            "discover_first",
            "statements_changed",
            "account_exists",
            "accounts_not_created",
            "discovery_failed",
        ),
        request=DraftCreateAccountsSerializer,
        responses={200: DraftSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, registration_id: str) -> Response:
        """Send exactly the statements whose digest is confirmed, with generated passwords that are never shown.

        Repeated, it continues: an account that it created is kept, and one with another password is refused.
        """
        given = validated_body(request, DraftCreateAccountsSerializer)
        return _answer(draft_create_accounts(actor=request.user.get_username(), draft_id=registration_id, **given))

    @operation(
        "registration_enter_accounts",
        "Enter the accounts of a cluster",
        codes=NOT_AS_SEEN,
        request=DraftEnterAccountsSerializer,
        responses={200: DraftSerializer, 409: ConflictSerializer},
    )
    def put(self, request: Request, registration_id: str) -> Response:
        """Store accounts that you created, encrypted. The check tries them."""
        given = validated_body(request, DraftEnterAccountsSerializer)
        return _answer(draft_enter_accounts(actor=request.user.get_username(), draft_id=registration_id, **given))


class RegistrationCheckView(ConsoleView):
    """The check of a cluster before it is registered."""

    permissions = {"POST": Permission.CLUSTERS}

    @operation(
        "registration_check",
        "Check a cluster with its accounts",
        codes=(*NOT_AS_SEEN, "discover_first"),
        request=DraftStepSerializer,
        responses={200: DraftSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, registration_id: str) -> Response:
        """Log in with each account on every node: privileges (enough, and not more), settings, channels. Reads only."""
        given = validated_body(request, DraftStepSerializer)
        return _answer(draft_check(actor=request.user.get_username(), draft_id=registration_id, **given))


class RegistrationRegisterView(ConsoleView):
    """The end of a guided registration."""

    permissions = {"POST": Permission.LINKS}

    @operation(
        "registration_register",
        "Register the clusters and the link",
        codes=(
            *NOT_AS_SEEN,
            "registration_open_points",
            "cluster_exists",
            "cluster_registered",
            "address_taken",
            "not_one_cluster",
            "trial_failed",
            "link_exists",
        ),
        request=DraftRegisterSerializer,
        responses={200: DraftSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, registration_id: str) -> Response:
        """Register both clusters and the link, as the calls for each do. Repeated after a failure, it continues.

        Then rehearse: `POST /links/ID/rehearsals`.
        """
        given = validated_body(request, DraftRegisterSerializer)
        return _answer(draft_register(actor=request.user.get_username(), draft_id=registration_id, **given))
