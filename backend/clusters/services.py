"""Registers clusters and links. Nodes that answer are identified, and nothing on them is changed.

The one exception: `create_probe` creates the schema `hawser` with its one table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import structlog
from django.db import IntegrityError, transaction

from backend.audit import services as audit
from backend.clusters.client_key import WantedTls, wanted_tls
from backend.clusters.identity import Identity, identify
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node
from backend.clusters.probe_table import create_probe_table
from backend.clusters.references import referenced_account
from backend.clusters.selectors import cluster_get, clusters, link_get, links
from backend.clusters.statement_parts import check_account_parts, check_host_part
from backend.clusters.trials import check_trials
from backend.common.errors import conflict, invalid
from backend.common.outgoing.addresses import NODES, check_host, policy_of
from backend.common.sealing import seal
from backend.core.topology import NodeRef
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, Tls
from backend.gateway.trials import try_login

log = structlog.get_logger(__name__)
Given = Mapping[str, Any]
Login = tuple[str, str]


def cluster_register(
    *,
    actor: str,
    name: str,
    site: str,
    nodes: Sequence[Given],
    credentials: Given,
    tls: Given,
    source: str = "api",
    reason: str = "",
) -> Cluster:
    """Register a cluster. Nodes that are unreachable now are accepted.

    Refused: nodes of another cluster, and nodes that respond and refuse one of the accounts (`trial_failed`).
    """
    check_nodes(nodes)
    check_account_parts(credentials)
    wanted = wanted_tls(tls)
    _check_free(name, nodes)
    logins = {role: _login(credentials[role]) for role in sorted(CredentialRole)}
    accesses = _accesses(nodes, logins, wanted.tls)
    _check_logins(accesses, logins, credentials)
    seen = identify(accesses)
    try:
        with transaction.atomic():  # nothing is stored before: nobody sees or links what was not checked
            _check_identity(seen)
            cluster = _insert(name, site, nodes, credentials, wanted)
            _keep_identity(cluster, seen)
            _record_cluster(actor, cluster, seen, source, reason)
    except IntegrityError as error:
        _check_free(name, nodes)
        detail = "This cluster is already registered. Nothing was registered."
        raise conflict("cluster_exists", detail) from error
    return cluster_get(cluster.id)


def check_nodes(nodes: Sequence[Given]) -> None:
    """Refuse nodes that are listed twice, and hosts to which the console may not connect."""
    addresses: set[tuple[str, int]] = set()
    names: set[str] = set()
    for index, node in enumerate(nodes):
        address = (node["host"].lower(), node["port"])
        if address in addresses:
            raise invalid(f"nodes.{index}.host", f"{node['host']}:{node['port']} is listed twice. List each node once.")
        if node["name"] in names:
            raise invalid(f"nodes.{index}.name", f"Two nodes are named {node['name']}. Give each node its own name.")
        check_host(node["host"], f"nodes.{index}.host")
        check_host_part(node["host"], f"nodes.{index}.host")
        addresses.add(address)
        names.add(node["name"])


def _insert(name: str, site: str, nodes: Sequence[Given], credentials: Given, tls: WantedTls) -> Cluster:
    cluster = Cluster(name=name, site=site)
    for field, value in tls.fields(cluster.pk).items():
        setattr(cluster, field, value)
    cluster.save(force_insert=True)
    Node.objects.bulk_create(
        Node(cluster=cluster, ordinal=ordinal, name=node["name"], host=node["host"].lower(), port=node["port"])
        for ordinal, node in enumerate(nodes)
    )
    Credential.objects.bulk_create(_credential(cluster, role, credentials[role.value]) for role in CredentialRole)
    return cluster


def _credential(cluster: Cluster, role: CredentialRole, given: Given) -> Credential:
    reference = given.get("reference")
    sealed = "" if reference else seal(given["password"], cluster_id=cluster.id, role=role.value)
    return Credential(cluster=cluster, role=role.value, user=given["user"], sealed=sealed, reference=reference)


def _check_free(name: str, nodes: Sequence[Given]) -> None:
    """Refuse a name or an address that is registered already."""
    if clusters().filter(name=name).exists():
        raise conflict(
            "cluster_exists", f"A cluster named {name} already exists. Nothing was registered. Choose another name."
        )
    for node in nodes:
        taken = Node.objects.filter(host=node["host"].lower(), port=node["port"]).first()
        if taken is not None:
            address = f"{node['host']}:{node['port']}"
            raise conflict("address_taken", f"{address} is already registered as {taken.name}. Nothing was registered.")


def _login(given: Given) -> Login:
    reference = given.get("reference")
    return referenced_account(given["user"], reference) if reference else (given["user"], given["password"])


def _accesses(nodes: Sequence[Given], logins: Mapping[CredentialRole, Login], tls: Tls) -> tuple[NodeAccess, ...]:
    """The nodes as they would be registered; each has its name as its id."""

    def endpoint(node: Given, role: CredentialRole) -> NodeEndpoint:
        return NodeEndpoint(node["host"].lower(), node["port"], *logins[role], tls, policy_of(NODES))

    return tuple(
        NodeAccess(
            NodeRef(node["name"], node["name"], node["host"].lower(), node["port"], ""),
            monitor=endpoint(node, CredentialRole.MONITOR),
            operator=endpoint(node, CredentialRole.OPERATOR),
        )
        for node in nodes
    )


def _check_logins(accesses: tuple[NodeAccess, ...], logins: Mapping[CredentialRole, Login], credentials: Given) -> None:
    """Refuse accounts, or a TLS mode, that a node refuses which responds: it would be shown as if it were down."""
    for role, (user, password) in logins.items():

        def endpoint_of(access: NodeAccess, user: str = user, password: str = password) -> NodeEndpoint:
            return replace(access.monitor, user=user, password=password)

        trials = try_login(accesses, endpoint_of)
        kept = "reference" if credentials[role].get("reference") else "password"
        is_of_tls = any(trial.is_of_tls for trial in trials)
        field = "tls.mode" if is_of_tls else f"credentials.{role.value}.{kept}"
        check_trials(field, f"The {role.value} account {user}", trials, accepts_unreachable=True)
        accesses = tuple(access for access, trial in zip(accesses, trials, strict=True) if trial.is_reached)


def _check_identity(seen: Identity) -> None:
    """Refuse nodes of different clusters, and nodes of a registered cluster."""
    if len(seen.state_uuids) > 1:
        listed = ", ".join(f"{node} is of {uuid}" for node, uuid in sorted(seen.uuid_by_node.items()))
        raise conflict(
            "not_one_cluster",
            f"These nodes belong to different clusters: {listed}. Nothing was registered. "
            "List the nodes of one cluster.",
        )
    for uuid in seen.state_uuids:
        same = clusters().filter(state_uuid=uuid).first()
        if same is not None:
            raise conflict(
                "cluster_registered",
                f"This cluster is already registered as {same.name} (state UUID {uuid}). Nothing was registered.",
            )


def _keep_identity(cluster: Cluster, seen: Identity) -> None:
    cluster.state_uuid = next(iter(seen.state_uuids), None)
    ids = {node.name: node.pk for node in cluster.nodes.all()}
    cluster.known_server_ids = {ids[name]: server_id for name, server_id in seen.server_ids.items()}
    cluster.save(update_fields=["state_uuid", "known_server_ids"])


def _record_cluster(actor: str, cluster: Cluster, seen: Identity, source: str, reason: str) -> None:
    credentials = cluster.credentials.all()
    audit.record(
        actor=actor,
        action=f"{source}:cluster:register",
        target=cluster.id,
        reason=reason,
        facts={
            "name": cluster.name,
            "site": cluster.site,
            "tls_mode": cluster.tls_mode,
            "has_client_certificate": bool(cluster.tls_cert),
            "nodes": [f"{node.name} {node.host}:{node.port}" for node in cluster.nodes.all()],
            "users": {c.role: c.user for c in credentials},
            "references": {c.role: c.reference for c in credentials if c.reference},
            "state_uuid": cluster.state_uuid,
            "unreached": list(seen.unreached),
        },
    )


def link_register(
    *,
    actor: str,
    name: str,
    active_cluster: str,
    standby_cluster: str,
    channel_name: str,
    create_probe: bool,
    requires_approval: bool,
    writes_on_both_sides: bool = False,
    source: str = "api",
    reason: str = "",
) -> Link:
    """Register a link between two registered clusters; the monitor records existing channels."""
    if active_cluster == standby_cluster:
        raise invalid("standby_cluster", "Both sides are the same cluster. Name two different clusters.")
    active = _side(active_cluster, "active_cluster")
    standby = _side(standby_cluster, "standby_cluster")
    _check_pair(active, standby)
    try:
        with transaction.atomic():
            link = Link.objects.create(
                name=name,
                active_cluster=active,
                standby_cluster=standby,
                home_cluster=active,
                channel_name=channel_name,
                requires_approval=requires_approval,
                writes_on_both_sides=writes_on_both_sides,
            )
    except IntegrityError as error:
        raise conflict(
            "link_exists", f"A link named {name} already exists. Nothing was registered. Choose another name."
        ) from error
    probe = create_probe_table(active) if create_probe else "not asked for"
    audit.record(
        actor=actor,
        action=f"{source}:link:register",
        link_id=link.id,
        target=link.id,
        reason=reason,
        facts={
            "name": name,
            "active": active.name,
            "standby": standby.name,
            "channel_name": channel_name,
            "probe": probe,
            "requires_approval": requires_approval,
            "writes_on_both_sides": writes_on_both_sides,
        },
    )
    return link_get(link.id)


def _side(cluster_id: str, field: str) -> Cluster:
    cluster = clusters().filter(pk=cluster_id).first()
    if cluster is None:
        raise invalid(field, "No such cluster is registered. Register it first.")
    return cluster


def _check_pair(active: Cluster, standby: Cluster) -> None:
    pair = {active.id, standby.id}
    for link in links():
        if {link.active_cluster_id, link.standby_cluster_id} == pair:
            raise conflict("link_exists", f"The link {link.name} already joins these clusters. Nothing was registered.")
