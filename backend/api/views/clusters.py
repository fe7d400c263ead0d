"""The REST views of clusters and nodes, which join registration and monitoring."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.link_views import page_of
from backend.api.response_cache import cached
from backend.api.serializers import LocatedSerializer, LocateQuerySerializer
from backend.audit import services as audit
from backend.clusters import selectors, services
from backend.clusters.inspection import cluster_check
from backend.clusters.serializers.clusters import (
    ClusterInSerializer,
    ClusterPageSerializer,
    ClusterSerializer,
    FindingsSerializer,
)
from backend.clusters.serializers.nodes import NodeSerializer
from backend.common.rest.operations import operation
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.monitoring.selectors import cluster_view, cluster_views, node_view
from backend.runs.xid_lookup import locate_xid


class ClusterListView(ConsoleView):
    """Registered clusters. A registration holds passwords, so its response is not stored for repeated calls."""

    permissions = {"GET": Permission.READ, "POST": Permission.CLUSTERS}
    keyed = False

    @operation("cluster_list", "List clusters", responses=ClusterPageSerializer)
    def get(self, request: Request) -> HttpResponse:
        """List all clusters with their last observed state."""
        return cached("clusters", ClusterPageSerializer, lambda: page_of(cluster_views(selectors.clusters())))

    @operation(
        "cluster_register",
        "Register a cluster",
        codes=(
            "cluster_exists",
            "cluster_registered",
            "address_taken",
            "address_refused",
            "not_one_cluster",
        ),
        request=ClusterInSerializer,
        responses={201: ClusterSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request) -> Response:
        """Register a cluster and identify the nodes that respond. Nothing is changed on them."""
        given = validated_body(request, ClusterInSerializer)
        cluster = services.cluster_register(actor=request.user.get_username(), **given)
        return respond(ClusterSerializer, cluster_view(cluster), status=201)


class ClusterView(ConsoleView):
    """One cluster."""

    permissions = {"GET": Permission.READ}

    @operation("cluster_read", "Get a cluster", responses=ClusterSerializer)
    def get(self, request: Request, cluster_id: str) -> HttpResponse:
        """Get a cluster with its last observed state."""
        return cached(
            f"cluster {cluster_id}", ClusterSerializer, lambda: cluster_view(selectors.cluster_get(cluster_id))
        )


class ClusterCheckView(ConsoleView):
    """The check of all that Hawser needs on a cluster."""

    permissions = {"POST": Permission.LOOKUP}

    @operation(
        "cluster_check", "Check the requirements of a cluster", request=EmptySerializer, responses=FindingsSerializer
    )
    def post(self, request: Request, cluster_id: str) -> Response:
        """Check connection, TLS, privileges and settings of every node. Nothing is changed.

        Each finding has a remedy, as a statement to run where there is one. The check is recorded.
        """
        cluster = selectors.cluster_get(cluster_id)
        validated_body(request, EmptySerializer)
        findings = cluster_check(cluster)
        audit.record(
            actor=request.user.get_username(),
            action="api:cluster:check",
            target=cluster.id,
            facts={"found": [finding.code for finding in findings if finding.refuses]},
        )
        return respond(FindingsSerializer, {"findings": [finding.to_json() for finding in findings]})


class NodeView(ConsoleView):
    """One node."""

    permissions = {"GET": Permission.READ}

    @operation("node_read", "Get a node", responses=NodeSerializer)
    def get(self, request: Request, node_id: str) -> Response:
        """Get a node with its last observed state."""
        return respond(NodeSerializer, node_view(selectors.node_get(node_id)))


class LocateView(ConsoleView):
    """The binlog position of a transaction on a node."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "node_locate",
        "Find the binlog position of an Xid",
        parameters=[LocateQuerySerializer],
        responses=LocatedSerializer,
    )
    def get(self, request: Request, node_id: str) -> Response:
        """Search the binary logs of the node for the transaction, in small reads. The search is recorded."""
        node = selectors.node_get(node_id)
        asked = validated_query(request, LocateQuerySerializer)
        found = locate_xid(node.id, asked["xid"])
        audit.record(
            actor=request.user.get_username(),
            action="api:node:locate",
            target=node.id,
            facts={"xid": asked["xid"], "found": found["found"]},
        )
        return respond(LocatedSerializer, found)
