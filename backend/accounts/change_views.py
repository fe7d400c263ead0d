"""Changes that wait for a second administrator, over HTTP."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from backend.accounts import protected_changes
from backend.accounts.principal import principal
from backend.accounts.serializers import ProtectedChangeSerializer
from backend.common.rest.serializers import CommentSerializer, ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission

_RESPONSES = {200: ProtectedChangeSerializer, 409: ConflictSerializer}


class ChangeConfirmView(ConsoleView):
    """A second administrator's yes."""

    permissions = {"POST": Permission.USERS}

    @extend_schema(operation_id="protected_change_confirm", request=CommentSerializer, responses=_RESPONSES)
    def post(self, request: Request, change_id: str) -> Response:
        """Confirm; the change takes effect at once."""
        change = protected_changes.change_get(change_id)
        given = validated_body(request, CommentSerializer)
        done = protected_changes.confirm(user=principal(request), change=change, **given)
        return respond(ProtectedChangeSerializer, done)


class ChangeRejectView(ConsoleView):
    """An administrator's no."""

    permissions = {"POST": Permission.USERS}

    @extend_schema(operation_id="protected_change_reject", request=CommentSerializer, responses=_RESPONSES)
    def post(self, request: Request, change_id: str) -> Response:
        """Reject; an account it was about is disabled, a token revoked, the rule stays on."""
        change = protected_changes.change_get(change_id)
        given = validated_body(request, CommentSerializer)
        done = protected_changes.reject(actor=principal(request).username, change=change, **given)
        return respond(ProtectedChangeSerializer, done)
