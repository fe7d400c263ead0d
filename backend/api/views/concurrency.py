"""The REST view of what a distance does to commits."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.concurrency import concurrency
from backend.api.concurrency_serializers import ConcurrencyQuerySerializer, ConcurrencySerializer
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission


class ConcurrencyView(ConsoleView):
    """Commits over a distance."""

    permissions = {"GET": Permission.READ}

    @operation(
        "concurrency_read",
        "Compute commits over a distance",
        parameters=[ConcurrencyQuerySerializer],
        responses=ConcurrencySerializer,
    )
    def get(self, request: Request) -> Response:
        """Compute the latency of a commit, the rate of many writers, and the writers that a rate needs.

        From one-way delays alone: no server is queried.
        """
        return respond(ConcurrencySerializer, concurrency(validated_query(request, ConcurrencyQuerySerializer)))
