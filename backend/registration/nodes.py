"""Adds and changes the nodes of a cluster. A server is accepted only as a member of the same cluster."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import IntegrityError
from django.db.models import Max

from backend.clusters.models import Cluster, Node
from backend.clusters.selectors import cluster_access, node_get
from backend.clusters.statement_parts import check_host_part
from backend.common.errors import ProblemError, conflict, invalid
from backend.common.outgoing.addresses import check_host
from backend.common.transaction_retry import retry_on_rollback
from backend.core.facts.server_identity import observed_server, server_identity
from backend.core.topology import NodeFacts, NodeRef
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.polling.parallel import observe_once
from backend.registration.changes import Change, before_and_after, check_no_run, locked_cluster, record_change
from backend.registration.channels import check_is_no_source
from backend.registration.repeated_passwords import NONE_GIVEN, Compared, check_passwords

MOST_NODES = 32


def node_add(
    *,
    change: Change,
    cluster: Cluster,
    name: str,
    host: str,
    port: int,
    passwords: Mapping[str, str] = NONE_GIVEN,
    accept_unreachable: bool = False,
) -> Node:
    """Register one more node of the cluster; it becomes a candidate as soon as the monitor has observed it.

    `passwords`: those of the accounts by role (`repeated_passwords`).
    """
    given: dict[str, Any] = {"name": name, "host": host.lower(), "port": port}
    check_host(given["host"], "host")
    check_host_part(given["host"], "host")
    compared = check_passwords(change, cluster, passwords)
    facts = _observed(cluster, given, compared)
    _check_member(cluster, facts, "host", accepts_unreachable=accept_unreachable)
    _check_new_server(cluster, facts)
    try:
        return _insert(change, cluster.pk, given, facts, compared)
    except IntegrityError as error:
        raise _duplicate(cluster, given, "") from error


def node_update(
    *,
    change: Change,
    node: Node,
    passwords: Mapping[str, str] = NONE_GIVEN,
    accept_unreachable: bool = False,
    **given: Any,
) -> Node:
    """Rename a node, or change the address at which the same server is reached, with the passwords of its accounts."""
    changes = {**given, **({"host": given["host"].lower()} if "host" in given else {})}
    after: dict[str, Any] = {"name": node.name, "host": node.host, "port": node.port} | changes
    facts = compared = None
    if (after["host"], after["port"]) != (node.host, node.port):
        check_host(after["host"], "host")
        check_host_part(after["host"], "host")
        compared = check_passwords(change, node.cluster, passwords)
        facts = _observed(node.cluster, after, compared)
        _check_member(node.cluster, facts, "host", accepts_unreachable=accept_unreachable)
        _check_same_server(node, facts)
    try:
        _store(change, node, changes, facts, compared)
    except IntegrityError as error:
        raise _duplicate(node.cluster, after, node.pk) from error
    return node_get(node.pk)


def _observed(cluster: Cluster, given: Mapping[str, Any], compared: Compared | None) -> NodeFacts:
    """The server at this address, read with the accounts of the cluster, and with none that replaces them meanwhile."""
    pattern = cluster_access(cluster).nodes[0]
    if compared is not None:
        compared.check_kept()
    ref = NodeRef("", given["name"], given["host"], given["port"], cluster.pk)
    monitor = replace(pattern.monitor, host=given["host"], port=given["port"], newest=None)
    operator = replace(pattern.operator, host=given["host"], port=given["port"], newest=None)
    return observe_once(NodeAccess(ref, monitor, operator))


def _check_member(cluster: Cluster, facts: NodeFacts, field: str, *, accepts_unreachable: bool) -> None:
    where = f"{facts.node.host}:{facts.node.port}"
    if facts.reach.value == "refused":
        raise invalid(field, f"{where}: {facts.error}. Nothing was changed.", code="trial_failed", status=409)
    if not facts.is_up:
        if accepts_unreachable:
            return
        raise conflict(
            "nodes_not_tried",
            f"{where} did not respond ({facts.error}). Nothing was changed. Start the server and check the address, "
            "or repeat the change with accept_unreachable.",
            nodes=[facts.node.name],
        )
    uuid = facts.wsrep.state_uuid if facts.wsrep is not None else ""
    if not uuid or uuid != cluster.state_uuid:
        raise conflict(
            "not_one_cluster",
            f"{where} reports the cluster state UUID {uuid or 'of none'}, and {cluster.name} has "
            f"{cluster.state_uuid or 'none yet'}. Nothing was changed. Check the address, and let the server join.",
        )


def _check_new_server(cluster: Cluster, facts: NodeFacts) -> None:
    """A server may have several addresses; it is one node."""
    observed = observed_server(facts)
    if observed is None:
        return
    same = cluster.nodes.filter(server=observed.server, server_id=observed.server_id).first()
    if same is not None:
        message = (
            f"The server at {facts.node.host}:{facts.node.port} is registered as {same.name} at "
            f"{same.host}:{same.port}. Nothing was changed."
        )
        raise invalid("host", message, code="address_taken", status=409)


def _check_same_server(node: Node, facts: NodeFacts) -> None:
    """An address may change; another server at it is another node, or a replacement to confirm."""
    if facts.is_up and node.server_id is not None and facts.server_id != node.server_id:
        raise conflict(
            "another_server",
            f"At {facts.node.host}:{facts.node.port} responds the server with server_id {facts.server_id}, and "
            f"{node.name} has server_id {node.server_id}. Nothing was changed. Add it as a node of its own, and "
            f"remove {node.name} when it has left the cluster.",
        )


@retry_on_rollback
def _insert(
    change: Change, cluster_id: str, given: Mapping[str, Any], facts: NodeFacts, compared: Compared | None
) -> Node:
    with locked_cluster(cluster_id, change.version) as (cluster, links):
        if compared is not None:
            compared.check_kept()
        check_no_run(links)
        if cluster.nodes.count() >= MOST_NODES:
            raise conflict("too_many_nodes", f"{cluster.name} has {MOST_NODES} nodes already. Nothing was changed.")
        last = cluster.nodes.aggregate(last=Max("ordinal"))["last"]
        node = Node.objects.create(cluster=cluster, ordinal=0 if last is None else last + 1, **given)
        _remember_server(cluster, node, facts)
        record_change(
            change,
            action="node:add",
            target=node.pk,
            links=links,
            message=f"{change.actor} added {node.name} to {cluster.name}.",
            facts={"cluster": cluster.name, "after": dict(given), "is_tried": facts.is_up},
        )
    return node


def _remember_server(cluster: Cluster, node: Node, facts: NodeFacts) -> None:
    """Its server_id guards against loops from now on, also while the node is down."""
    if not facts.is_up or facts.server_id is None:
        return
    cluster.known_server_ids = {**cluster.known_server_ids, node.pk: facts.server_id}
    cluster.save(update_fields=["known_server_ids"])
    node.server, node.server_id = server_identity(facts.variables) or "", facts.server_id
    node.save(update_fields=["server", "server_id"])


@retry_on_rollback
def _store(
    change: Change, node: Node, changes: Mapping[str, Any], moved: NodeFacts | None, compared: Compared | None
) -> None:
    """`moved`: the server at the new address, where that changes; its identity names its port."""
    with locked_cluster(node.cluster_id, change.version) as (cluster, links):
        if compared is not None:
            compared.check_kept()
        check_no_run(links)
        if moved is not None:
            check_is_no_source(node, links)
        row = Node.objects.get(pk=node.pk)
        facts = before_and_after(row, changes)
        for field, value in changes.items():
            setattr(row, field, value)
        row.save(update_fields=list(changes))
        if moved is not None:
            _remember_server(cluster, row, moved)
        record_change(
            change,
            action="node:update",
            target=node.pk,
            links=links,
            message=f"{change.actor} changed the registration of {row.name} in {cluster.name}.",
            facts={"cluster": cluster.name, **facts},
        )


def _duplicate(cluster: Cluster, given: Mapping[str, Any], but: str) -> ProblemError:
    if cluster.nodes.filter(name=given["name"]).exclude(pk=but).exists():
        message = f"{cluster.name} already has a node named {given['name']}. Nothing was changed. Choose another name."
        return invalid("name", message, code="node_exists", status=409)
    taken = Node.objects.filter(host=given["host"], port=given["port"]).exclude(pk=but).first()
    owner = f"as {taken.name} of {taken.cluster.name}" if taken is not None else "already"
    message = f"{given['host']}:{given['port']} is registered {owner}. Nothing was changed."
    return invalid("host", message, code="address_taken", status=409)
