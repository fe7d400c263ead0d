"""The endpoints of calibrations."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.adviser.concurrency.calibration import selectors, services
from backend.adviser.concurrency.calibration.outputs import Calibration, Calibrations, Heartbeat, LinkHeartbeat
from backend.adviser.concurrency.calibration.serializers import CalibrationInSerializer, HeartbeatInSerializer
from backend.clusters.selectors import cluster_get, link_get, registered_link_get
from backend.clusters.versions import check_not_retired
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.views import ConsoleView, respond, validated_body
from backend.common.roles import Permission

_REFUSALS = (
    "calibration_grants_missing",
    "calibration_link_not_protected",
    "calibration_no_probe_schema",
    "calibration_node_unfit",
    "calibration_run_unfinished",
    "calibration_running",
    "calibration_standby",
    "retired",
    "wrong_confirmation",
)


class ClusterCalibrationsView(ConsoleView):
    """Commits of a cluster, measured."""

    permissions = {"GET": Permission.READ, "POST": Permission.RUN}

    @operation("calibration_list", "List the calibrations of a cluster", responses=Calibrations)
    def get(self, request: Request, cluster_id: str) -> Response:
        """List the newest ten, with the settings and the figures of each."""
        return respond(Calibrations, selectors.cluster_view(cluster_get(cluster_id)))

    @operation(
        "calibration_run",
        "Calibrate the commits of a cluster",
        codes=_REFUSALS,
        request=CalibrationInSerializer,
        responses={201: Calibration},
    )
    @slow_call
    def post(self, request: Request, cluster_id: str) -> Response:
        """Commit rows of `hawser.calibration` on one node with 1, 4 and 16 writers, and remove them.

        For at most ten seconds. It stops when a link of the cluster is no longer protected, a run is unfinished, flow
        control pauses the node or a commit is slow: a 201 with `state: stopped`.
        """
        cluster = cluster_get(cluster_id)
        check_not_retired(cluster)
        given = validated_body(request, CalibrationInSerializer)
        row = services.calibrate(actor=request.user.get_username(), cluster=cluster, given=given)
        return respond(Calibration, selectors.shown(Calibration, row), status=201)


class LinkHeartbeatView(ConsoleView):
    """How late a write arrives over a link."""

    permissions = {"GET": Permission.READ, "POST": Permission.RUN}

    @operation("heartbeat_read", "Get the heartbeat over a link", responses=LinkHeartbeat)
    def get(self, request: Request, link_id: str) -> Response:
        """Get the newest one that was measured from the active side. Nothing is written."""
        return respond(LinkHeartbeat, selectors.link_view(link_get(link_id)))

    @operation(
        "heartbeat_run",
        "Measure a heartbeat over a link",
        codes=_REFUSALS,
        request=HeartbeatInSerializer,
        responses={201: Heartbeat},
    )
    @slow_call
    def post(self, request: Request, link_id: str) -> Response:
        """Write 20 rows of `hawser.calibration` on the active side in four seconds, and look for them on the other.

        The servers' clocks are compared by SQL; the figure says how wrong it can be. The rows are removed.
        """
        link = registered_link_get(link_id)
        given = validated_body(request, HeartbeatInSerializer)
        row = services.measure_heartbeat(actor=request.user.get_username(), link=link, given=given)
        return respond(Heartbeat, selectors.shown(Heartbeat, row), status=201)
