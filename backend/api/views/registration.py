"""The REST views that change registered clusters, nodes and links besides their own addresses."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.api.link_views import link_detail
from backend.clusters.models import Cluster, CredentialRole
from backend.clusters.selectors import cluster_get, link_get, node_get
from backend.clusters.serializers.clusters import ClusterSerializer
from backend.clusters.serializers.links import LinkDetailSerializer
from backend.clusters.serializers.nodes import NodeSerializer
from backend.common.errors import not_found
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.preconditions import IF_MATCH, required_version, with_etag
from backend.common.rest.scope import privileges_of, require
from backend.common.rest.serializers import ConflictSerializer
from backend.common.rest.views import ConsoleView, respond, validated_body, validated_query
from backend.common.roles import Permission
from backend.monitoring.selectors import cluster_view, node_view
from backend.registration.changes import Change
from backend.registration.credentials import credential_replace
from backend.registration.links import link_pause, link_resume, link_swap_names
from backend.registration.membership import membership_view
from backend.registration.nodes import node_add
from backend.registration.replacement import cluster_replace, node_confirm_server
from backend.registration.serializers import (
    ClusterReplaceSerializer,
    CredentialReplaceSerializer,
    LinkPauseSerializer,
    LinkSwapSerializer,
    MembershipSerializer,
    NodeAddSerializer,
    NodeConfirmSerializer,
    ReasonQuerySerializer,
)

CHANGE_CODES = ("precondition_required", "version_changed", "retired")
PASSWORD_CODES = ("stored_passwords_needed", "too_many_comparisons")
"""Of a change by which stored passwords could reach another server."""


def change_of(request: Request, reason: str) -> Change:
    """Who asks for the change, why, and on which version it is based."""
    return Change(actor=request.user.get_username(), reason=reason, version=required_version(request))


def cluster_response(cluster: Cluster) -> Response:
    """A changed cluster with its new version."""
    return with_etag(respond(ClusterSerializer, cluster_view(cluster)), cluster.version)


class ClusterMembershipView(ConsoleView):
    """The members that a cluster names."""

    permissions = {"GET": Permission.READ}

    @operation("cluster_membership", "Compare members with registered nodes", responses=MembershipSerializer)
    def get(self, request: Request, cluster_id: str) -> Response:
        """Get the members by the last poll: unregistered ones, nodes that left, replaced servers.

        Reads what the monitor observed; no server is asked.
        """
        cluster = cluster_get(cluster_id)
        return with_etag(respond(MembershipSerializer, membership_view(cluster)), cluster.version)


class ClusterCredentialView(ConsoleView):
    """The account of one role of a cluster. The call holds a password, so its response is not stored."""

    permissions = {"PUT": Permission.CLUSTERS}
    keyed = False

    @operation(
        "cluster_replace_credential",
        "Replace an account of a cluster",
        codes=(*CHANGE_CODES, "trial_failed", "nodes_not_tried"),
        parameters=[IF_MATCH],
        request=CredentialReplaceSerializer,
        responses={200: ClusterSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def put(self, request: Request, cluster_id: str, role: str) -> Response:
        """Try the account on every node, then store it. The old one is used until then, also by unfinished runs.

        Roles of accounts: `monitor`, `operator`, `replication`.
        """
        cluster = cluster_get(cluster_id)
        if role not in list(CredentialRole):
            raise not_found("account")
        given = validated_body(request, CredentialReplaceSerializer)
        change = change_of(request, given.pop("reason"))
        return cluster_response(credential_replace(change=change, cluster=cluster, role=CredentialRole(role), **given))


class ClusterNodesView(ConsoleView):
    """The nodes of a cluster."""

    permissions = {"POST": Permission.CLUSTERS}

    @operation(
        "node_add",
        "Add a node to a cluster",
        codes=(
            *CHANGE_CODES,
            *PASSWORD_CODES,
            "run_unfinished",
            "address_refused",
            "address_taken",
            "node_exists",
            "not_one_cluster",
            "nodes_not_tried",
            "too_many_nodes",
            "trial_failed",
        ),
        parameters=[IF_MATCH],
        request=NodeAddSerializer,
        responses={201: NodeSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, cluster_id: str) -> Response:
        """Register one more member of the cluster. Nothing is changed on the server."""
        cluster = cluster_get(cluster_id)
        given = validated_body(request, NodeAddSerializer)
        node = node_add(change=change_of(request, given.pop("reason")), cluster=cluster, **given)
        return with_etag(respond(NodeSerializer, node_view(node_get(node.pk)), status=201), node.cluster.version)


class ClusterReplaceView(ConsoleView):
    """The new cluster at the addresses of a registered one."""

    permissions = {"POST": Permission.CLUSTERS}

    @operation(
        "cluster_replace",
        "Replace a cluster by a rebuilt one",
        codes=(*CHANGE_CODES, "run_unfinished", "state_uuid_differs", "reprotect_first", "retire_link_first"),
        parameters=[IF_MATCH],
        request=ClusterReplaceSerializer,
        responses={201: ClusterSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, cluster_id: str) -> Response:
        """Close the history of a cluster, retire its links, and register what responds at its addresses now."""
        cluster = cluster_get(cluster_id)
        given = validated_body(request, ClusterReplaceSerializer)
        change = change_of(request, given["reason"])
        fresh = cluster_replace(change=change, cluster=cluster, state_uuid=given["state_uuid"])
        return with_etag(respond(ClusterSerializer, cluster_view(fresh), status=201), fresh.version)


class NodeConfirmView(ConsoleView):
    """The server that took a node's place."""

    permissions = {"POST": Permission.RUN}

    @operation(
        "node_confirm_server",
        "Confirm that a server was replaced",
        codes=(*CHANGE_CODES, "run_unfinished", "another_server", "not_one_cluster", "nodes_not_tried"),
        parameters=[IF_MATCH],
        request=NodeConfirmSerializer,
        responses={200: NodeSerializer, 409: ConflictSerializer},
    )
    @slow_call
    def post(self, request: Request, node_id: str) -> Response:
        """Record the server that responds at the address of the node now. Until then no plan uses the node."""
        node = node_get(node_id)
        given = validated_body(request, NodeConfirmSerializer)
        change = change_of(request, given["reason"])
        confirmed = node_confirm_server(change=change, node=node, server_id=given["server_id"])
        return with_etag(respond(NodeSerializer, node_view(confirmed)), confirmed.cluster.version)


class LinkPauseView(ConsoleView):
    """The maintenance of a link."""

    permissions = {"PUT": Permission.RUN, "DELETE": Permission.RUN}

    @operation(
        "link_pause",
        "Begin the maintenance of a link",
        codes=CHANGE_CODES,
        parameters=[IF_MATCH],
        request=LinkPauseSerializer,
        responses={200: LinkDetailSerializer, 409: ConflictSerializer},
    )
    def put(self, request: Request, link_id: str) -> Response:
        """Until its end the link is observed, but no webhook is told, and nothing starts automatically.

        A returned lost side is fenced all the same, because a confirmed failover said so.
        """
        link = link_get(link_id)
        given = validated_body(request, LinkPauseSerializer)
        changed = link_pause(change=change_of(request, given["reason"]), link=link, until=given["until"])
        return with_etag(respond(LinkDetailSerializer, link_detail(changed, privileges_of(request))), changed.version)

    @operation(
        "link_resume",
        "End the maintenance of a link",
        codes=CHANGE_CODES,
        parameters=[IF_MATCH, ReasonQuerySerializer],
        responses={200: LinkDetailSerializer, 409: ConflictSerializer},
    )
    def delete(self, request: Request, link_id: str) -> Response:
        """Webhooks are told again, first of the state that the link is in now."""
        link = link_get(link_id)
        given = validated_query(request, ReasonQuerySerializer)
        changed = link_resume(change=change_of(request, given["reason"]), link=link)
        return with_etag(respond(LinkDetailSerializer, link_detail(changed, privileges_of(request))), changed.version)


class LinkSwapNamesView(ConsoleView):
    """The names of two links."""

    permissions = {"POST": Permission.LINKS}

    @operation(
        "link_swap_names",
        "Swap the names of two links",
        codes=(*CHANGE_CODES, "run_unfinished"),
        parameters=[IF_MATCH],
        request=LinkSwapSerializer,
        responses={200: LinkDetailSerializer, 409: ConflictSerializer},
    )
    def post(self, request: Request, link_id: str) -> Response:
        """Swap the names at once, for example after a migration to new clusters."""
        link = link_get(link_id)
        given = validated_body(request, LinkSwapSerializer)
        change = change_of(request, given["reason"])
        require(request, Permission.LINKS, "link_id", [given["other"]])
        changed = link_swap_names(change=change, link=link, other=link_get(given["other"]))
        return with_etag(respond(LinkDetailSerializer, link_detail(changed, privileges_of(request))), changed.version)
