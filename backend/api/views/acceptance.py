"""The REST view of what an administrator accepts of a cluster's servers."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.views.registration import CHANGE_CODES, change_of
from backend.clusters.models import Cluster
from backend.clusters.selectors import cluster_get
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.preconditions import IF_MATCH, with_etag
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.registration.acceptance import server_accept, server_acceptance_withdraw
from backend.registration.acceptance_view import acceptance_view
from backend.registration.serializers import (
    ReasonQuerySerializer,
    ServerAcceptanceSerializer,
    ServerAcceptSerializer,
)


class ClusterAcceptanceView(ConsoleView):
    """Plans with servers that were never tried."""

    permissions = {"GET": Permission.READ, "POST": Permission.CLUSTERS, "DELETE": Permission.CLUSTERS}

    @operation(
        "cluster_acceptance",
        "Get what is accepted of untried servers",
        responses=ServerAcceptanceSerializer,
    )
    def get(self, request: Request, cluster_id: str) -> Response:
        """Get what can be accepted by the last poll, what is accepted now and by whom, and earlier acceptances."""
        return _response(cluster_get(cluster_id))

    @operation(
        "cluster_accept_server",
        "Accept plans with untried servers",
        codes=(*CHANGE_CODES, "run_unfinished", "nodes_not_tried", "server_not_acceptable", "already_accepted"),
        parameters=[IF_MATCH],
        request=ServerAcceptSerializer,
        responses={201: ServerAcceptanceSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, cluster_id: str) -> Response:
        """Accept that this family and release series was never tried, in writing and for this cluster alone.

        Both clusters of a link need it. Every node that responds must run it, with Galera. It ends with the series.
        """
        cluster = cluster_get(cluster_id)
        given = validated_body(request, ServerAcceptSerializer)
        change = change_of(request, given.pop("reason"))
        return _response(server_accept(change=change, cluster=cluster, **given), status=201)

    @operation(
        "cluster_withdraw_acceptance",
        "Withdraw an acceptance",
        codes=(*CHANGE_CODES, "run_unfinished", "not_accepted"),
        parameters=[IF_MATCH, ReasonQuerySerializer],
        responses={200: ServerAcceptanceSerializer, 409: ConflictSerializer},
    )
    def delete(self, request: Request, cluster_id: str) -> Response:
        """Refuse plans with these servers again, also those that were made before."""
        cluster = cluster_get(cluster_id)
        given = validated_query(request, ReasonQuerySerializer)
        change = change_of(request, given["reason"])
        return _response(server_acceptance_withdraw(change=change, cluster=cluster))


def _response(cluster: Cluster, *, status: int = 200) -> Response:
    shown = respond(ServerAcceptanceSerializer, acceptance_view(cluster), status=status)
    return with_etag(shown, cluster.version)
