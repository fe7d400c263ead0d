"""Clusters and nodes: registered by one room, observed by another."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
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
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.monitoring.selectors import cluster_view, cluster_views, node_view
from backend.runs.xid_lookup import locate_xid


class ClusterListView(ConsoleView):
    """Registered clusters. A registration holds passwords, so its answer is not kept for repeats."""

    permissions = {"GET": Permission.READ, "POST": Permission.CLUSTERS}
    keyed = False

    @extend_schema(operation_id="cluster_list", responses=ClusterPageSerializer)
    def get(self, request: Request) -> HttpResponse:
        """All of them with what was last observed."""
        return cached("clusters", ClusterPageSerializer, lambda: page_of(cluster_views(selectors.clusters())))

    @extend_schema(
        operation_id="cluster_register",
        request=ClusterInSerializer,
        responses={201: ClusterSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request) -> Response:
        """Register one; nodes that answer are identified, nothing is changed on them."""
        given = validated_body(request, ClusterInSerializer)
        cluster = services.cluster_register(actor=request.user.get_username(), **given)
        return respond(ClusterSerializer, cluster_view(cluster), status=201)


class ClusterView(ConsoleView):
    """One cluster."""

    permissions = {"GET": Permission.READ}

    @extend_schema(operation_id="cluster_read", responses=ClusterSerializer)
    def get(self, request: Request, cluster_id: str) -> HttpResponse:
        """The cluster with what was last observed."""
        return cached(
            f"cluster {cluster_id}", ClusterSerializer, lambda: cluster_view(selectors.cluster_get(cluster_id))
        )


class ClusterCheckView(ConsoleView):
    """Does everything work that the console needs on this cluster?"""

    permissions = {"POST": Permission.LOOKUP}

    @extend_schema(operation_id="cluster_check", request=EmptySerializer, responses=FindingsSerializer)
    def post(self, request: Request, cluster_id: str) -> Response:
        """Connection, TLS, grants, settings; each remedy is a statement."""
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

    @extend_schema(operation_id="node_read", responses=NodeSerializer)
    def get(self, request: Request, node_id: str) -> Response:
        """The node with what was last observed."""
        return respond(NodeSerializer, node_view(selectors.node_get(node_id)))


class LocateView(ConsoleView):
    """The manual step of the old recipe: where does this seqno end on this node?"""

    permissions = {"GET": Permission.LOOKUP}

    @extend_schema(operation_id="node_locate", parameters=[LocateQuerySerializer], responses=LocatedSerializer)
    def get(self, request: Request, node_id: str) -> Response:
        """Look it up in the node's binary logs, in small bites."""
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
