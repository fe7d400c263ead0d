"""The REST views of nodes' maintenances; a plan of the kind `node_maintenance` prepares one."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.adviser.maintenance import selectors, services
from backend.adviser.maintenance.outputs import NodeMaintenance, NodeMaintenanceList
from backend.adviser.maintenance.serializers import MaintenanceEndSerializer
from backend.clusters.selectors import cluster_get
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission


class ClusterMaintenancesView(ConsoleView):
    """Maintenances of the nodes of a cluster."""

    permissions = {"GET": Permission.READ}

    @operation("node_maintenance_list", "List node maintenances of a cluster", responses=NodeMaintenanceList)
    def get(self, request: Request, cluster_id: str) -> Response:
        """List the newest 20 maintenances of a cluster's nodes. At most one is open. No server is queried."""
        return respond(NodeMaintenanceList, selectors.maintenances_of(cluster_get(cluster_id)))


class MaintenanceEndView(ConsoleView):
    """The end of a maintenance."""

    permissions = {"POST": Permission.RUN}

    @operation(
        "node_maintenance_end",
        "End a node maintenance",
        codes=("maintenance_not_open",),
        request=MaintenanceEndSerializer,
        responses={200: NodeMaintenance, 409: ConflictSerializer},
    )
    def post(self, request: Request, maintenance_id: str) -> Response:
        """Stop watching the node. A freeze of the donor is ended within seconds. The call is recorded."""
        given = validated_body(request, MaintenanceEndSerializer)
        row = services.maintenance_end(
            actor=request.user.get_username(), maintenance_id=maintenance_id, reason=given["reason"]
        )
        return respond(NodeMaintenance, selectors.maintenance_view(row))
