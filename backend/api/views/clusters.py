"""The REST views of clusters and nodes, which join registration and monitoring."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.link_views import page_of
from backend.api.response_cache import cached
from backend.api.serializers import LocatedSerializer, LocateQuerySerializer
from backend.api.views.registration import CHANGE_CODES, PASSWORD_CODES, change_of, cluster_response
from backend.audit import services as audit
from backend.clusters import selectors, services
from backend.clusters.inspection import cluster_check
from backend.clusters.models import Node
from backend.clusters.serializers.clusters import (
    ClusterInSerializer,
    ClusterPageSerializer,
    ClusterSerializer,
    FindingsSerializer,
)
from backend.clusters.serializers.nodes import NodeSerializer
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.preconditions import IF_MATCH, with_etag
from backend.common.rest.scope import Where, privileges_of, require_everywhere
from backend.common.rest.serializers import ConflictSerializer, EmptySerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.monitoring.selectors import cluster_view, cluster_views, node_view
from backend.operations.runs.xid_lookup import locate_xid
from backend.registration.clusters import cluster_update
from backend.registration.nodes import node_update
from backend.registration.removal import node_remove
from backend.registration.retirement import cluster_retire
from backend.registration.serializers import (
    ClusterUpdateSerializer,
    NodeRemoveQuerySerializer,
    NodeUpdateSerializer,
    ReasonQuerySerializer,
)


class ClusterListView(ConsoleView):
    """Registered clusters. A registration holds passwords, so its response is not stored for repeated calls."""

    permissions = {"GET": Permission.READ, "POST": Permission.CLUSTERS}
    where = Where.READABLE
    keyed = False

    @operation("cluster_list", "List clusters", responses=ClusterPageSerializer)
    def get(self, request: Request) -> HttpResponse:
        """List all clusters with their last observed state."""
        privileges = privileges_of(request)
        return cached(
            f"clusters {privileges.key}",
            ClusterPageSerializer,
            lambda: page_of(
                cluster_views(selectors.among(selectors.clusters(), privileges.clusters_with(Permission.READ)))
            ),
        )

    @operation(
        "cluster_register",
        "Register a cluster",
        codes=(
            "cluster_exists",
            "cluster_registered",
            "address_taken",
            "address_refused",
            "not_one_cluster",
            "trial_failed",
        ),
        request=ClusterInSerializer,
        responses={201: ClusterSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request) -> Response:
        """Register a cluster and identify the nodes that respond. Nothing is changed on them."""
        require_everywhere(request, Permission.CLUSTERS)
        given = validated_body(request, ClusterInSerializer)
        cluster = services.cluster_register(actor=request.user.get_username(), **given)
        return respond(ClusterSerializer, cluster_view(cluster), status=201)


class ClusterView(ConsoleView):
    """One cluster."""

    permissions = {"GET": Permission.READ, "PATCH": Permission.CLUSTERS, "DELETE": Permission.CLUSTERS}

    @operation("cluster_read", "Get a cluster", responses=ClusterSerializer)
    def get(self, request: Request, cluster_id: str) -> HttpResponse:
        """Get a cluster with its last observed state. Its version is the ETag."""
        return cached(
            f"cluster {cluster_id}", ClusterSerializer, lambda: cluster_view(selectors.cluster_get(cluster_id))
        )

    @operation(
        "cluster_update",
        "Update a cluster",
        codes=(*CHANGE_CODES, *PASSWORD_CODES, "cluster_exists", "run_unfinished", "trial_failed", "nodes_not_tried"),
        parameters=[IF_MATCH],
        request=ClusterUpdateSerializer,
        responses={200: ClusterSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def patch(self, request: Request, cluster_id: str) -> Response:
        """Change name, site, or how to connect, which is tried on every node before it is stored.

        Plans of its links that were made before are refused.
        """
        cluster = selectors.cluster_get(cluster_id)
        given = validated_body(request, ClusterUpdateSerializer)
        change = change_of(request, given.pop("reason"))
        return cluster_response(cluster_update(change=change, cluster=cluster, **given))

    @operation(
        "cluster_retire",
        "Retire a cluster",
        codes=(*CHANGE_CODES, "cluster_in_use"),
        parameters=[IF_MATCH, ReasonQuerySerializer],
        responses={200: ClusterSerializer, 409: ConflictSerializer},
    )
    def delete(self, request: Request, cluster_id: str) -> Response:
        """Delete its accounts and nodes and free its name. Nothing is changed on the servers.

        The record of what was done with it stays readable.
        """
        cluster = selectors.cluster_get(cluster_id)
        given = validated_query(request, ReasonQuerySerializer)
        return cluster_response(cluster_retire(change=change_of(request, given["reason"]), cluster=cluster))


class ClusterCheckView(ConsoleView):
    """The check of all that Hawser needs on a cluster."""

    permissions = {"POST": Permission.LOOKUP}

    @operation(
        "cluster_check", "Check the requirements of a cluster", request=EmptySerializer, responses=FindingsSerializer
    )
    @slow_call
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

    permissions = {"GET": Permission.READ, "PATCH": Permission.CLUSTERS, "DELETE": Permission.CLUSTERS}

    @operation("node_read", "Get a node", responses=NodeSerializer)
    def get(self, request: Request, node_id: str) -> Response:
        """Get a node with its last observed state. The version of its cluster is the ETag."""
        return _node_response(selectors.node_get(node_id))

    @operation(
        "node_update",
        "Update a node",
        codes=(
            *CHANGE_CODES,
            *PASSWORD_CODES,
            "address_refused",
            "address_taken",
            "another_server",
            "node_carries_channel",
            "node_exists",
            "nodes_not_tried",
            "not_one_cluster",
            "run_unfinished",
            "trial_failed",
        ),
        parameters=[IF_MATCH],
        request=NodeUpdateSerializer,
        responses={200: NodeSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def patch(self, request: Request, node_id: str) -> Response:
        """Rename a node, or change the address at which the same server responds."""
        node = selectors.node_get(node_id)
        given = validated_body(request, NodeUpdateSerializer)
        change = change_of(request, given.pop("reason"))
        return _node_response(node_update(change=change, node=node, **given))

    @operation(
        "node_remove",
        "Remove a node",
        codes=(
            *CHANGE_CODES,
            "membership_unknown",
            "node_carries_channel",
            "node_cleanup_due",
            "node_in_plan",
            "node_is_member",
            "node_last",
            "node_only_live",
            "run_unfinished",
        ),
        parameters=[IF_MATCH, NodeRemoveQuerySerializer],
        responses={204: None, 409: ConflictSerializer},
    )
    @slow_call
    def delete(self, request: Request, node_id: str) -> Response:
        """Remove a node that its cluster does not count as a member any more. Nothing is changed on the server."""
        node = selectors.node_get(node_id)
        given = validated_query(request, NodeRemoveQuerySerializer)
        change = change_of(request, given["reason"])
        node_remove(change=change, node=node, attest_gone=given["attest_gone"])
        return Response(status=204)


def _node_response(node: Node) -> Response:
    return with_etag(respond(NodeSerializer, node_view(node)), node.cluster.version)


class LocateView(ConsoleView):
    """The binlog position of a transaction on a node."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "node_locate",
        "Find the binlog position of an Xid",
        parameters=[LocateQuerySerializer],
        responses=LocatedSerializer,
    )
    @slow_call
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
