"""What is registered, as a state to compare; passwords only as digests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from django.db import transaction

from backend.clusters.client_key import is_sealed_key_readable
from backend.clusters.models import Cluster, CredentialRole, Link
from backend.clusters.selectors import account, clusters, links
from backend.common.sealing import SealError
from backend.identity.accounts import protected_changes
from backend.operations.approval_rules.switching import RULE_OFF
from backend.registration.declaration.state import (
    SEALED,
    UNREADABLE,
    AccountState,
    ClientState,
    ClusterState,
    LinkState,
    NodeState,
    RegistrationState,
)


@dataclass(frozen=True, slots=True)
class StoredRegistration:
    """The state, and the ids and versions that it has, by names: a change is decided on them."""

    state: RegistrationState
    cluster_ids: Mapping[str, str]
    cluster_versions: Mapping[str, int]
    link_versions: Mapping[str, int]


@transaction.atomic
def registration_stored(digest: Callable[[str], str], declared: Collection[str]) -> StoredRegistration:
    """All registered clusters and links; passwords are read only of the clusters that are declared."""
    found, joined = list(clusters()), list(links())
    state = RegistrationState(
        tuple(_cluster(one, digest if one.name in declared else None) for one in found),
        tuple(_link(one) for one in joined),
    )
    return StoredRegistration(
        state,
        {one.name: one.pk for one in found},
        {one.name: one.version for one in found},
        {one.name: one.version for one in joined},
    )


def _cluster(cluster: Cluster, digest: Callable[[str], str] | None) -> ClusterState:
    return ClusterState(
        cluster.name,
        cluster.site,
        cluster.tls_mode,
        cluster.tls_ca.strip(),
        {role.value: _account(cluster, role, digest) for role in CredentialRole} if digest is not None else {},
        tuple(NodeState(node.name, node.host, node.port) for node in cluster.nodes.all()),
        _client(cluster),
    )


def _client(cluster: Cluster) -> ClientState | None:
    """The certificate, and where its key is; no store is read."""
    if not cluster.tls_cert:
        return None
    key = cluster.tls_key_reference or (SEALED if is_sealed_key_readable(cluster) else UNREADABLE)
    return ClientState(cluster.tls_cert.strip(), key)


def _account(cluster: Cluster, role: CredentialRole, digest: Callable[[str], str]) -> AccountState:
    """A password that cannot be decrypted equals none, so that the declared one is stored; no store is read."""
    row = cluster.credentials.get(role=role.value)
    if row.reference:
        return AccountState(row.user, "", row.reference)
    try:
        user, password = account(cluster, role)
    except SealError:
        return AccountState(row.user, "")
    return AccountState(user, digest(password))


def _link(link: Link) -> LinkState:
    """An approval rule whose end was requested counts as ended: requesting it again would restart its waiting time."""
    home = link.home_cluster or link.active_cluster
    ends = protected_changes.waiting().filter(kind=RULE_OFF, target=link.pk).exists()
    return LinkState(
        link.name,
        frozenset({link.active_cluster.name, link.standby_cluster.name}),
        home.name,
        link.channel_name,
        link.requires_approval and not ends,
        link.writes_on_both_sides,
    )
