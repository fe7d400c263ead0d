"""Replaces the account of one role of a cluster: tried on every node first, the old one is kept until then.

Also while a run is unfinished: whatever connects next uses the new account. Open sessions continue with the old one,
and a session that the server refuses reads the stored account again (`selectors.account`). So an account can be
replaced without a gap where the old one works until the new one is stored: create a second account, store it here,
drop the first. Where the password of the same account was changed on the servers, it is stored here afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from backend.clusters.models import Cluster, Credential, CredentialRole
from backend.clusters.sealing import seal
from backend.clusters.selectors import cluster_access, cluster_get
from backend.clusters.statement_parts import check_account_part
from backend.common.transaction_retry import retry_on_rollback
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint
from backend.gateway.trials import try_account
from backend.registration.changes import Change, locked_cluster, record_change
from backend.registration.clusters import endpoint_for
from backend.registration.trials import check_trials


def credential_replace(
    *,
    change: Change,
    cluster: Cluster,
    role: CredentialRole,
    user: str,
    password: str,
    accept_unreachable: bool = False,
) -> Cluster:
    """Store the account if it logs in with the privileges of its role on every node.

    The stored ones are not read: where the key that they were encrypted with is lost, they are replaced so.
    """
    check_account_part(user, password, "")

    def endpoint_of(access: NodeAccess) -> NodeEndpoint:
        """This account and no other: one that is refused must not be replaced by the stored one."""
        return replace(endpoint_for(access, role), newest=None)

    nodes = cluster_access(cluster, only=(user, password)).nodes
    trials = try_account(nodes, role.value, endpoint_of)
    check_trials("password", f"The {role.value} account {user}", trials, accepts_unreachable=accept_unreachable)
    _store(change, cluster.pk, role, user, password, [trial.node for trial in trials if not trial.is_reached])
    return cluster_get(cluster.pk)


@retry_on_rollback
def _store(change: Change, cluster_id: str, role: CredentialRole, user: str, password: str, untried: list[str]) -> None:
    with locked_cluster(cluster_id, change.version) as (cluster, links):
        row = Credential.objects.select_for_update().get(cluster=cluster, role=role.value)
        before = row.user
        row.user, row.sealed = user, seal(password, cluster_id=cluster.pk, role=role.value)
        row.save(update_fields=["user", "sealed"])
        record_change(
            change,
            action="cluster:replace_credential",
            target=cluster.pk,
            links=links,
            message=f"{change.actor} replaced the {role.value} account of {cluster.name}.",
            facts={"role": role.value, "before": {"user": before}, "after": {"user": user}, "not_tried_on": untried},
        )
