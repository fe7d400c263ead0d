"""The REST views of declarations. Their calls hold passwords, so their responses are not stored for repetition."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.scope import privileges_of
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission
from backend.registration.changes import Change
from backend.registration.declaration.requested import Requested, declaration_apply, declaration_compare
from backend.registration.declaration.serializers import (
    DeclarationApplySerializer,
    DeclarationComparisonSerializer,
    DeclarationInSerializer,
    DeclarationResultSerializer,
)

CODES = ("declaration_invalid", "declaration_refused", "too_many_comparisons")


def _requested(given: dict[str, Any]) -> Requested:
    return Requested(given["document"], given["references"], given["prune"], given["accept_unreachable"])


class DeclarationCompareView(ConsoleView):
    """A declaration compared with the registration."""

    permissions = {"POST": Permission.CLUSTERS}
    keyed = False

    @operation(
        "declaration_compare",
        "Compare a declaration",
        codes=CODES,
        request=DeclarationInSerializer,
        responses={200: DeclarationComparisonSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request) -> Response:
        """Compare a YAML document with the registration. Changes nothing, and connects to nothing.

        Send it without `references` first: the response names those that are missing. A comparison of given passwords
        with stored ones is in the audit log, and an account is compared at most 30 times an hour.
        """
        requested = _requested(validated_body(request, DeclarationInSerializer))
        actor = request.user.get_username()
        return respond(DeclarationComparisonSerializer, declaration_compare(actor=actor, requested=requested))


class DeclarationApplyView(ConsoleView):
    """A declaration applied to the registration."""

    permissions = {"POST": Permission.CLUSTERS}
    keyed = False

    @operation(
        "declaration_apply",
        "Apply a declaration",
        codes=("differences_changed", *CODES),
        request=DeclarationApplySerializer,
        responses={200: DeclarationResultSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request) -> Response:
        """Make exactly the differences whose digest is confirmed, in order, until one is refused.

        A difference of a link needs the permission to change links as well.
        Each is made as by its own call: tried on the nodes, in a transaction of its own, audited. A refused one is an
        `outcome`, not a problem. Repeated after a lost response it changes nothing twice: the digest is another one.
        """
        given = validated_body(request, DeclarationApplySerializer)
        change = Change(actor=request.user.get_username(), reason=given["reason"])
        done = declaration_apply(
            change=change,
            requested=_requested(given),
            digest=given["digest"],
            privileges=privileges_of(request),
        )
        return respond(DeclarationResultSerializer, done)
