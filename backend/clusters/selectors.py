"""Reads clusters and links; credentials are decrypted only into the gateway's value types."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from backend.clusters.client_key import stored_tls
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node, ServerAcceptance
from backend.clusters.references import referenced_account
from backend.clusters.versions import check_not_retired
from backend.common.errors import not_found
from backend.common.outgoing.addresses import NODES, policy_of
from backend.common.sealing import SealError, unseal
from backend.core.topology import AcceptedServer, NodeRef, RecordedServer
from backend.gateway.connection.endpoint import ClusterAccess, LinkAccess, NodeAccess, NodeEndpoint

NODES_OF_SIDES = ("active_cluster__nodes", "standby_cluster__nodes")


def clusters() -> QuerySet[Cluster]:
    """All registered clusters by name, nodes fetched; none that was retired."""
    return _every_cluster().filter(retired_at=None)


def _every_cluster() -> QuerySet[Cluster]:
    return Cluster.objects.prefetch_related("nodes").order_by("name")


def cluster_get(cluster_id: str) -> Cluster:
    """One cluster, also a retired one; 404 if it does not exist."""
    cluster = _every_cluster().filter(pk=cluster_id).first()
    if cluster is None:
        raise not_found("cluster")
    return cluster


def node_get(node_id: str) -> Node:
    """One node with its cluster; 404 if it does not exist."""
    node = Node.objects.select_related("cluster").filter(pk=node_id).first()
    if node is None:
        raise not_found("node")
    return node


def links() -> QuerySet[Link]:
    """All registered links by name, clusters and nodes fetched; none that was retired."""
    return _every_link().filter(retired_at=None)


M = TypeVar("M", Cluster, Link)


def among(rows: QuerySet[M], ids: Collection[str] | None) -> QuerySet[M]:
    """Those with one of these ids; None stands for all."""
    return rows if ids is None else rows.filter(pk__in=list(ids))


def listed_links() -> QuerySet[Link]:
    """The same without their nodes, which a list needs of few: 200 links have 1,200. Home is one of the two sides."""
    rows = Link.objects.select_related("active_cluster", "standby_cluster")
    return rows.filter(retired_at=None).order_by("name")


def links_without_nodes() -> QuerySet[Link]:
    """The same without clusters and nodes: for lists that show what the monitor stored of each link."""
    return Link.objects.filter(retired_at=None).order_by("name")


def attended_links(now: datetime) -> QuerySet[Link]:
    """The registered links that are not in maintenance: only of them webhooks are told, and something may start."""
    return Link.objects.filter(retired_at=None).exclude(paused_until__gt=now)


def retired_links() -> QuerySet[Link]:
    """The links that were retired, the latest first."""
    return _every_link().exclude(retired_at=None).order_by("-retired_at")


def _every_link() -> QuerySet[Link]:
    return _with_clusters().prefetch_related(*NODES_OF_SIDES).order_by("name")


def _with_clusters() -> QuerySet[Link]:
    return Link.objects.select_related("active_cluster", "standby_cluster", "home_cluster")


def link_get(link_id: str) -> Link:
    """One link, also a retired one, for what only reads; 404 if it does not exist."""
    link = _every_link().filter(pk=link_id).first()
    if link is None:
        raise not_found("link")
    return link


def link_name(link_id: str) -> str:
    """What a link, also a retired one, is called now."""
    return Link.objects.values_list("name", flat=True).get(pk=link_id)


def check_link(link_id: str) -> None:
    """404 if there is no such link; for what needs nothing else of it."""
    if not Link.objects.filter(pk=link_id).exists():
        raise not_found("link")


def registered_link_get(link_id: str) -> Link:
    """One link that is in use; 404 if it does not exist, 409 if it was retired."""
    link = link_get(link_id)
    check_not_retired(link)
    return link


def account(cluster: Cluster, role: CredentialRole, *, rereads: bool = False) -> tuple[str, str]:
    """User and password of an account of the cluster; for the gateway, CHANGE MASTER and comparisons only.

    `rereads`: the server refused the last one, so a store is read again. Raises SealError.
    """
    credential = Credential.objects.get(cluster=cluster, role=role.value)
    if credential.reference:
        return referenced_account(credential.user, credential.reference, rereads=rereads)
    return credential.user, unseal(credential.sealed, cluster_id=cluster.id, role=role.value)


def account_views(cluster_ids: Collection[str]) -> dict[str, list[dict[str, Any]]]:
    """By cluster id, whose accounts they are and where their passwords are; no password."""
    found: dict[str, list[dict[str, Any]]] = {}
    shown = ("role", "user", "reference", "read_at", "read_problem")
    for row in Credential.objects.filter(cluster__in=cluster_ids).order_by("role").values("cluster_id", *shown):
        found.setdefault(row["cluster_id"], []).append({name: row[name] for name in shown})
    return found


def newest_account(cluster_id: str, role: CredentialRole) -> tuple[str, str]:
    """The account as it is stored now; a thread that had no connection to the console's database keeps none."""
    had_connection = connection.connection is not None
    try:
        return account(Cluster.objects.get(pk=cluster_id), role, rereads=True)
    finally:
        if not had_connection:
            connection.close()


def recorded_servers(cluster: Cluster) -> dict[str, RecordedServer]:
    """The servers known at the cluster's nodes, by node id."""
    return {
        node.id: RecordedServer(node.server, node.server_id)
        for node in cluster.nodes.all()
        if node.server and node.server_id is not None
    }


def origins_of(cluster: Cluster) -> frozenset[tuple[int, int]]:
    """Domain and server_id of everything that was seen in the logs of the cluster's nodes."""
    parts = (text.split("-") for text in cluster.logged_origins or ())
    return frozenset((int(domain), int(server_id)) for domain, server_id in parts)


def nodes_at(addresses: Collection[tuple[str, int]]) -> tuple[NodeRef, ...]:
    """The registered nodes that have one of these addresses, of whatever cluster; queries nothing for none."""
    if not addresses:
        return ()
    rows = Node.objects.filter(cluster__retired_at=None, host__in={host for host, _ in addresses})
    return tuple(node.ref for node in rows if node.ref.address in addresses)


def acceptances(cluster_ids: Collection[str]) -> dict[str, ServerAcceptance]:
    """The acceptances in force, by cluster id."""
    return {str(row.open_cluster): row for row in ServerAcceptance.objects.filter(open_cluster__in=cluster_ids)}


def accepted_server(cluster_id: str) -> AcceptedServer | None:
    """What is accepted for the cluster now."""
    row = acceptances([cluster_id]).get(cluster_id)
    return None if row is None else row.accepted


def cluster_access(cluster: Cluster, *, only: tuple[str, str] | None = None) -> ClusterAccess:
    """The cluster in the gateway's form. With `only` this account is used for all roles, and no stored one is read."""
    monitor = only or account(cluster, CredentialRole.MONITOR)
    operator = only or account(cluster, CredentialRole.OPERATOR)
    return _access(cluster, monitor, operator, accepted_server(cluster.pk))


def cluster_accesses(wanted: Collection[Cluster]) -> Iterator[ClusterAccess | SealError]:
    """All of them in the gateway's form, in order, from two queries; the error in the place of one not decrypted."""
    rows = {(row.cluster_id, row.role): row for row in Credential.objects.filter(cluster__in=wanted)}
    accepted = acceptances([cluster.pk for cluster in wanted])

    def stored(cluster: Cluster, role: CredentialRole) -> tuple[str, str]:
        row = rows[cluster.pk, role.value]
        if row.reference:
            return referenced_account(row.user, row.reference)
        return row.user, unseal(row.sealed, cluster_id=cluster.pk, role=role.value)

    for cluster in wanted:
        monitor, operator = CredentialRole.MONITOR, CredentialRole.OPERATOR
        row = accepted.get(cluster.pk)
        try:
            yield _access(
                cluster, stored(cluster, monitor), stored(cluster, operator), None if row is None else row.accepted
            )
        except SealError as error:
            yield error


def _access(
    cluster: Cluster, monitor: tuple[str, str], operator: tuple[str, str], accepted: AcceptedServer | None
) -> ClusterAccess:
    transport, policy = stored_tls(cluster), policy_of(NODES)
    newest = {role: partial(newest_account, cluster.pk, role) for role in CredentialRole}
    return ClusterAccess(
        id=cluster.id,
        name=cluster.name,
        site=cluster.site,
        nodes=tuple(
            NodeAccess(
                ref=replace(node.ref, accepted=accepted),
                monitor=NodeEndpoint(node.host, node.port, *monitor, transport, policy, newest[CredentialRole.MONITOR]),
                operator=NodeEndpoint(
                    node.host, node.port, *operator, transport, policy, newest[CredentialRole.OPERATOR]
                ),
            )
            for node in cluster.nodes.all()
        ),
        recorded_state_uuid=cluster.state_uuid,
        known_server_ids=cluster.known_server_ids,
        recorded_servers=recorded_servers(cluster),
        logged_origins=origins_of(cluster),
    )


def link_access(link: Link) -> LinkAccess:
    """The link in the gateway's form, from four queries; raises SealError where a password is not decrypted."""
    sides = [link.active_cluster_id, link.standby_cluster_id]
    clusters = Cluster.objects.prefetch_related("nodes").in_bulk(sides)
    active, standby = map(_decrypted, cluster_accesses([clusters[side] for side in sides]))
    return LinkAccess(
        id=link.id,
        name=link.name,
        channel_name=link.channel_name,
        active=active,
        standby=standby,
        home_cluster_id=link.home_cluster_id,
        writes_on_both_sides=link.writes_on_both_sides,
        proven_within_s=settings.HAWSER_PROVEN_WITHIN_S,
    )


def _decrypted(access: ClusterAccess | SealError) -> ClusterAccess:
    if isinstance(access, SealError):
        raise access
    return access
