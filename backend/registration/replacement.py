"""Confirms that another server took a node's place, and that another cluster took a cluster's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from backend.clusters.client_key import WantedTls, stored_tls
from backend.clusters.identity import identify
from backend.clusters.models import Cluster, Credential, Link, Node
from backend.clusters.selectors import cluster_access, cluster_get, node_get
from backend.common.errors import conflict
from backend.common.sealing import seal, unseal
from backend.common.transaction_retry import retry_on_rollback
from backend.core.facts.server_identity import observed_server
from backend.core.topology import RecordedServer
from backend.gateway.polling.parallel import observe_once
from backend.monitoring.models import Divergence
from backend.registration.changes import Change, check_no_run, locked_cluster, record_change
from backend.registration.retirement import check_needs_no_second_person, retire_cluster_row, retire_link_row


def node_confirm_server(*, change: Change, node: Node, server_id: int) -> Node:
    """Record the server that responds now; `server_id` is the one that the caller saw and means."""
    access = next(one for one in cluster_access(node.cluster).nodes if one.ref.id == node.pk)
    facts = observe_once(access)
    observed = observed_server(facts)
    if observed is None:
        raise conflict(
            "nodes_not_tried",
            f"{node.name} did not respond, or did not state who it is. Nothing was changed. Start it and try again.",
            nodes=[node.name],
        )
    if observed.server_id != server_id:
        raise conflict(
            "another_server",
            f"{node.name} responds with server_id {observed.server_id}, and you confirm {server_id}. Nothing was "
            "changed. Look at the node again.",
        )
    uuid = facts.wsrep.state_uuid if facts.wsrep is not None else ""
    if uuid != node.cluster.state_uuid:
        raise conflict(
            "not_one_cluster",
            f"{node.name} reports the cluster state UUID {uuid or 'of none'}, and {node.cluster.name} has "
            f"{node.cluster.state_uuid}. Nothing was changed. Let the server join the cluster first.",
        )
    _record(change, node, observed)
    return node_get(node.pk)


@retry_on_rollback
def _record(change: Change, node: Node, observed: RecordedServer) -> None:
    with locked_cluster(node.cluster_id, change.version) as (cluster, links):
        check_no_run(links)
        row = Node.objects.get(pk=node.pk)
        before = {"server": row.server, "server_id": row.server_id}
        row.server, row.server_id = observed.server, observed.server_id
        row.save(update_fields=["server", "server_id"])
        record_change(
            change,
            action="node:confirm_server",
            target=node.pk,
            links=links,
            message=f"{change.actor} confirmed that another server took the place of {row.name}.",
            facts={"cluster": cluster.name, "before": before, "after": asdict(observed)},
        )


def cluster_replace(*, change: Change, cluster: Cluster, state_uuid: str) -> Cluster:
    """Close the history of a cluster and register the one that responds at its addresses now.

    Its links are retired, because nothing of their positions is true of the new cluster. Refused where a reprotect or
    a plan that accepts the state UUID keeps the link.
    """
    seen = identify(cluster_access(cluster).nodes)
    if seen.state_uuids != {state_uuid} or state_uuid == cluster.state_uuid:
        reported = ", ".join(sorted(seen.state_uuids)) or "none"
        raise conflict(
            "state_uuid_differs",
            f"The nodes of {cluster.name} report the state UUID {reported}; you name {state_uuid}, and "
            f"{cluster.state_uuid} is recorded. Nothing was changed. Wait until every node has joined the new cluster.",
        )
    return cluster_get(_replace(change, cluster.pk, state_uuid, seen.server_ids).pk)


@retry_on_rollback
def _replace(change: Change, cluster_id: str, state_uuid: str, server_ids: Mapping[str, int]) -> Cluster:
    with locked_cluster(cluster_id, change.version) as (cluster, links):
        check_no_run(links)
        _check_not_lost(cluster, links)
        for link in links:
            check_needs_no_second_person(link)
        nodes, accounts = list(cluster.nodes.all()), list(cluster.credentials.all())
        for link in links:
            retire_link_row(link, change.actor)
        retire_cluster_row(cluster)
        fresh = _registered_anew(cluster, nodes, accounts, state_uuid, server_ids)
        record_change(
            change,
            action="cluster:replace",
            target=fresh.pk,
            links=links,
            message=f"{change.actor} registered the new cluster at the addresses of {cluster.name}. "
            "The link is retired.",
            facts={
                "name": cluster.name,
                "before": {"cluster": cluster.pk, "state_uuid": cluster.state_uuid},
                "after": {"cluster": fresh.pk, "state_uuid": state_uuid},
                "retired_links": [link.name for link in links],
            },
        )
    return fresh


def _check_not_lost(cluster: Cluster, links: Sequence[Link]) -> None:
    lost = Divergence.objects.filter(open_link__in=[link.pk for link in links], lost_cluster=cluster)
    row = lost.select_related("link").first()
    if row is not None:
        raise conflict(
            "reprotect_first",
            f"{cluster.name} is the lost side of a failover of {row.link.name}. Nothing was changed. Reprotect the "
            "link: that records the new history and keeps the link.",
            link_id=row.link_id,
        )


def _registered_anew(
    old: Cluster,
    nodes: Sequence[Node],
    accounts: Sequence[Credential],
    state_uuid: str,
    server_ids: Mapping[str, int],
) -> Cluster:
    """The same addresses and accounts under new ids: no sample, channel or position of the old history is theirs."""
    fresh = Cluster(name=old.name, site=old.site, state_uuid=state_uuid)
    for field, value in WantedTls(stored_tls(old), old.tls_key_reference).fields(fresh.pk).items():
        setattr(fresh, field, value)
    fresh.save(force_insert=True)
    known: dict[str, int] = {}
    for node in nodes:
        row = Node.objects.create(cluster=fresh, name=node.name, host=node.host, port=node.port, ordinal=node.ordinal)
        if node.pk in server_ids:
            known[row.pk] = server_ids[node.pk]
    for account in accounts:
        sealed = "" if account.reference else _sealed_anew(account, fresh.pk)
        Credential.objects.create(
            cluster=fresh, role=account.role, user=account.user, sealed=sealed, reference=account.reference
        )
    fresh.known_server_ids = known
    fresh.save(update_fields=["known_server_ids"])
    return fresh


def _sealed_anew(account: Credential, cluster_id: str) -> str:
    password = unseal(account.sealed, cluster_id=account.cluster_id, role=account.role)
    return seal(password, cluster_id=cluster_id, role=account.role)
