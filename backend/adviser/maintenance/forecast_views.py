"""The REST views for the maintenance of a cluster's nodes."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.adviser.maintenance.absence import node_absence
from backend.adviser.maintenance.outputs import NodeAbsence, StateTransfer
from backend.adviser.maintenance.serializers import StateTransferQuerySerializer
from backend.adviser.maintenance.state_transfer import state_transfer
from backend.clusters.selectors import cluster_get
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission


class NodeAbsenceView(ConsoleView):
    """For how long the nodes of a cluster may be away."""

    permissions = {"GET": Permission.READ}

    @operation("cluster_node_absence", "Get possible absences of nodes", responses=NodeAbsence)
    def get(self, request: Request, cluster_id: str) -> Response:
        """Get, of each node, whether it would return by IST or SST, until when, and its possible donors.

        From what the monitor stored: no server is queried.
        """
        return respond(NodeAbsence, node_absence(cluster_get(cluster_id)))


class StateTransferView(ConsoleView):
    """How long an SST to each node of a cluster would take."""

    permissions = {"GET": Permission.READ}

    @operation(
        "cluster_state_transfer",
        "Forecast an SST to each node",
        parameters=[StateTransferQuerySerializer],
        responses=StateTransfer,
    )
    def get(self, request: Request, cluster_id: str) -> Response:
        """Get the parts of an SST to each node, its donors, a checklist, and the runs behind the figures.

        A part whose facts are missing is unknown with the reason. No server is queried.
        """
        given = validated_query(request, StateTransferQuerySerializer)
        return respond(StateTransfer, state_transfer(cluster_get(cluster_id), given))
