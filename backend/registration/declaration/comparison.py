"""Compares what a file declares with what is registered; the order of the differences is the order of their execution.

Per cluster: how to connect, accounts, addresses of nodes, new nodes, removed nodes; so each change is tried with what
was stored before it. Links come last, because they join the clusters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from backend.registration.declaration.difference import Difference, FieldChange, Kind, Operation, certificate_sign
from backend.registration.declaration.node_pairs import pair_nodes
from backend.registration.declaration.state import AccountState, ClusterState, LinkState, RegistrationState


def differences(
    stored: RegistrationState, declared: RegistrationState, *, prunes: bool = False
) -> tuple[Difference, ...]:
    """What has to be done so that the registration is as declared; nothing where it is.

    `prunes`: nodes of declared clusters that are not declared are removed. Clusters and links never are.
    """
    return (*_clusters(stored, declared, prunes=prunes), *_links(stored, declared))


def undeclared_nodes(stored: RegistrationState, declared: RegistrationState) -> tuple[tuple[str, str], ...]:
    """Cluster and name of each registered node that its declared cluster lacks."""
    pairs = ((stored.cluster(cluster.name), cluster) for cluster in declared.clusters)
    return tuple(
        (after.name, node.name)
        for before, after in pairs
        if before is not None
        for node in pair_nodes(before, after)[2]
    )


def _clusters(stored: RegistrationState, declared: RegistrationState, *, prunes: bool) -> Iterator[Difference]:
    for index, cluster in enumerate(declared.clusters):
        path, before = f"clusters[{index}]", stored.cluster(cluster.name)
        if before is None:
            fields = (*_connection(None, cluster), *_members(cluster))
            yield Difference(Operation.ADD, Kind.CLUSTER, path, cluster.name, cluster.name, fields)
            continue
        fields = tuple(_connection(before, cluster))
        if fields:
            yield Difference(Operation.CHANGE, Kind.CLUSTER, path, cluster.name, cluster.name, fields)
        yield from _accounts(path, before, cluster)
        yield from _nodes(path, before, cluster, prunes=prunes)


def _connection(before: ClusterState | None, after: ClusterState) -> Iterator[FieldChange]:
    none = {"tls.cert": "none", "tls.key": "none"}
    yield from _changed(None if before is None else none | _known(_connected(before)), _connected(after))


def _known(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _connected(cluster: ClusterState) -> dict[str, object]:
    return {
        "site": cluster.site,
        "tls.mode": cluster.tls_mode,
        "tls.ca": certificate_sign(cluster.tls_ca),
        "tls.cert": cluster.client and certificate_sign(cluster.client.cert),
        "tls.key": cluster.client and cluster.client.key,
    }


def _members(cluster: ClusterState) -> Iterator[FieldChange]:
    """Accounts and nodes of a cluster to register."""
    for role, account in cluster.accounts.items():
        yield FieldChange(f"credentials.{role}.user", None, account.user)
        if account.reference:
            yield FieldChange(f"credentials.{role}.reference", None, account.reference)
    for node in cluster.nodes:
        yield FieldChange(f"nodes.{node.name}", None, f"{node.host}:{node.port}")


def _accounts(path: str, before: ClusterState, after: ClusterState) -> Iterator[Difference]:
    for role, account in after.accounts.items():
        old = before.accounts[role]
        is_same = account.reference == old.reference and (bool(old.reference) or _is_same_password(old, account))
        if is_same and old.user == account.user:
            continue
        password = FieldChange("password", old.reference or "stored", _stored_as(account, is_same=is_same))
        fields = (*_changed({"user": old.user}, {"user": account.user}), password)
        key_path = f"{path}.credentials.{role}"
        yield Difference(Operation.CHANGE, Kind.ACCOUNT, key_path, after.name, role, fields)


def _is_same_password(old: AccountState, account: AccountState) -> bool:
    return bool(old.digest) and old.digest == account.digest


def _stored_as(account: AccountState, *, is_same: bool) -> str:
    return "unchanged" if is_same else account.reference or "changed"


def _nodes(path: str, before: ClusterState, after: ClusterState, *, prunes: bool) -> Iterator[Difference]:
    pairs, added, undeclared = pair_nodes(before, after)
    path_of = {node.name: f"{path}.nodes[{index}]" for index, node in enumerate(after.nodes)}
    for old, new in pairs:
        fields = tuple(
            _changed(
                {"name": old.name, "host": old.host, "port": old.port},
                {"name": new.name, "host": new.host, "port": new.port},
            )
        )
        if fields:
            yield Difference(Operation.CHANGE, Kind.NODE, path_of[new.name], after.name, old.name, fields)
    for node in added:
        fields = (FieldChange("host", None, node.host), FieldChange("port", None, node.port))
        yield Difference(Operation.ADD, Kind.NODE, path_of[node.name], after.name, node.name, fields)
    for node in undeclared if prunes else ():
        fields = (FieldChange("host", node.host, None), FieldChange("port", node.port, None))
        yield Difference(Operation.REMOVE, Kind.NODE, "", after.name, node.name, fields)


def _links(stored: RegistrationState, declared: RegistrationState) -> Iterator[Difference]:
    for index, link in enumerate(declared.links):
        before = stored.link(link.name)
        fields = tuple(_changed(None if before is None else _settings(before), _settings(link)))
        if before is None:
            fixed = {"clusters": ", ".join(sorted(link.clusters)), "channel_name": link.channel_name}
            fields = (*_changed(None, {**fixed, "create_probe": link.create_probe}), *fields)
        if fields:
            operation = Operation.CHANGE if before is not None else Operation.ADD
            yield Difference(operation, Kind.LINK, f"links[{index}]", "", link.name, fields)


def _settings(link: LinkState) -> dict[str, object]:
    """What of a link can be changed."""
    return {
        "home": link.home,
        "requires_approval": link.requires_approval,
        "writes_on_both_sides": link.writes_on_both_sides,
    }


def _changed(before: Mapping[str, object] | None, after: Mapping[str, object]) -> Iterator[FieldChange]:
    """The declared fields that differ; all of them where nothing is registered."""
    for name, value in after.items():
        old = None if before is None else before[name]
        if value is not None and (before is None or old != value):
            yield FieldChange(name, old, value)
