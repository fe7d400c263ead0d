"""The REST views of the bandwidth of a cluster."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.adviser.bandwidth import services
from backend.adviser.bandwidth.figures import bandwidth
from backend.adviser.bandwidth.outputs import Bandwidth
from backend.adviser.bandwidth.serializers import LineCapacityInSerializer
from backend.clusters.selectors import cluster_get
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission


class BandwidthView(ConsoleView):
    """Bytes between the nodes of a cluster."""

    permissions = {"GET": Permission.READ}

    @operation("cluster_bandwidth", "Get segments and bandwidth", responses=Bandwidth)
    def get(self, request: Request, cluster_id: str) -> Response:
        """Get which node is in which segment, the bytes of each pair of nodes, their growth, and the line's load.

        Computed from what the monitor stored: no server is queried. Acknowledgements and state transfers are left out.
        """
        return respond(Bandwidth, bandwidth(cluster_get(cluster_id)))


class LineCapacityView(ConsoleView):
    """The capacity of a cluster's line."""

    permissions = {"PUT": Permission.PLAN}

    @operation(
        "cluster_line_capacity",
        "Update the capacity of the line",
        codes=("retired",),
        request=LineCapacityInSerializer,
        responses=Bandwidth,
    )
    def put(self, request: Request, cluster_id: str) -> Response:
        """Store the capacity with which the load is compared. No server is changed. The call is recorded."""
        cluster, given = cluster_get(cluster_id), validated_body(request, LineCapacityInSerializer)
        services.capacity_set(actor=request.user.get_username(), cluster=cluster, **given)
        return respond(Bandwidth, bandwidth(cluster))
