"""The REST views of protected changes, which wait for a second administrator."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.rest.operations import operation
from backend.common.rest.serializers import CommentSerializer, ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.identity.accounts import protected_changes
from backend.identity.accounts.principal import principal
from backend.identity.accounts.second_person import SECOND_PERSON_CODES
from backend.identity.accounts.serializers import ProtectedChangeSerializer

_RESPONSES = {200: ProtectedChangeSerializer, 409: ConflictSerializer}


class ChangeConfirmView(ConsoleView):
    """The confirmation by a second administrator."""

    permissions = {"POST": Permission.USERS}

    @operation(
        "protected_change_confirm",
        "Confirm a protected change",
        codes=(
            "not_waiting",
            "own_change",
            *SECOND_PERSON_CODES,
            "requester_not_permitted",
            "target_renamed",
        ),
        request=CommentSerializer,
        responses=_RESPONSES,
    )
    def post(self, request: Request, change_id: str) -> Response:
        """Confirm the change as the second administrator. It takes effect at once."""
        change = protected_changes.change_get(change_id)
        given = validated_body(request, CommentSerializer)
        done = protected_changes.confirm(user=principal(request), change=change, **given)
        return respond(ProtectedChangeSerializer, done)


class ChangeRejectView(ConsoleView):
    """The rejection by an administrator."""

    permissions = {"POST": Permission.USERS}

    @operation(
        "protected_change_reject",
        "Reject a protected change",
        codes=("not_waiting", "own_change_waits", "last_administrator"),
        request=CommentSerializer,
        responses=_RESPONSES,
    )
    def post(self, request: Request, change_id: str) -> Response:
        """Reject the change.

        A user that it is about is disabled, a token is revoked, and the approval rule of a link stays on.
        """
        change = protected_changes.change_get(change_id)
        given = validated_body(request, CommentSerializer)
        done = protected_changes.reject(actor=principal(request).username, change=change, **given)
        return respond(ProtectedChangeSerializer, done)
