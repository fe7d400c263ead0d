"""Changes a cluster: its name and site, and how to connect to its nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import IntegrityError

from backend.clusters.client_key import wanted_tls
from backend.clusters.models import Cluster, CredentialRole
from backend.clusters.selectors import cluster_access, cluster_get
from backend.clusters.trials import check_trials
from backend.common.errors import conflict
from backend.common.transaction_retry import retry_on_rollback
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint, Tls
from backend.gateway.trials import try_account
from backend.registration.changes import Change, before_and_after, check_no_run, locked_cluster, record_change
from backend.registration.repeated_passwords import NONE_GIVEN, Compared, check_passwords

_LONG = ("tls_ca", "tls_cert", "tls_key_sealed")


def cluster_update(
    *,
    change: Change,
    cluster: Cluster,
    name: str | None = None,
    site: str | None = None,
    tls: Mapping[str, Any] | None = None,
    passwords: Mapping[str, str] = NONE_GIVEN,
    accept_unreachable: bool = False,
) -> Cluster:
    """Change name, site, and how to connect; a new way to connect is tried on every node before it is stored.

    `passwords`: those of the accounts by role, where mode or authority changes (`repeated_passwords`).
    """
    changes: dict[str, Any] = {key: value for key, value in (("name", name), ("site", site)) if value is not None}
    compared = None
    if tls is not None:
        wanted = wanted_tls(tls, cluster)
        if (wanted.tls.mode.value, wanted.tls.ca_pem) != (cluster.tls_mode, cluster.tls_ca):
            compared = check_passwords(change, cluster, passwords)
        _try_tls(cluster, wanted.tls, compared, accepts_unreachable=accept_unreachable)
        changes |= wanted.fields(cluster.pk)
    try:
        _store(change, cluster.pk, changes, compared)
    except IntegrityError as error:
        raise conflict(
            "cluster_exists", f"A cluster named {name} already exists. Nothing was changed. Choose another name."
        ) from error
    return cluster_get(cluster.pk)


def endpoint_for(access: NodeAccess, role: CredentialRole) -> NodeEndpoint:
    """The registered account of a role on a node; the replication account logs in like the others."""
    return access.operator if role is CredentialRole.OPERATOR else access.monitor


def _try_tls(cluster: Cluster, tls: Tls, compared: Compared | None, *, accepts_unreachable: bool) -> None:
    """With the accounts that were compared, and with none that replaces them meanwhile."""
    nodes = cluster_access(cluster).nodes
    if compared is not None:
        compared.check_kept()
    for role in (CredentialRole.MONITOR, CredentialRole.OPERATOR):

        def endpoint_of(access: NodeAccess, role: CredentialRole = role) -> NodeEndpoint:
            return replace(endpoint_for(access, role), tls=tls, newest=None)

        trials = try_account(nodes, role.value, endpoint_of)
        subject = f"A connection of the {role.value} account in TLS mode {tls.mode.value}"
        check_trials("tls.mode", subject, trials, accepts_unreachable=accepts_unreachable)


@retry_on_rollback
def _store(change: Change, cluster_id: str, changes: Mapping[str, Any], compared: Compared | None) -> None:
    with locked_cluster(cluster_id, change.version) as (cluster, links):
        if compared is not None:
            compared.check_kept()
        check_no_run(links)
        facts = before_and_after(cluster, changes)
        for field, value in changes.items():
            setattr(cluster, field, value)
        cluster.save(update_fields=list(changes))
        changed = ", ".join(sorted(facts["after"])) or "nothing"
        record_change(
            change,
            action="cluster:update",
            target=cluster.pk,
            links=links,
            message=f"{change.actor} changed the registration of {cluster.name}: {changed}.",
            facts=_without_certificate(facts),
        )


def _without_certificate(facts: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """A certificate is long and public: the record says whether there is one, and of a key no more."""
    return {
        when: {name: bool(value) if name in _LONG else value for name, value in values.items()}
        for when, values in facts.items()
    }
