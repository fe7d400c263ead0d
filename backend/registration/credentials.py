"""Replaces the account of one role of a cluster: tried on every node first, the old one is kept until then.

Also while a run is unfinished: whatever connects next uses the new account. Open sessions continue with the old one,
and a session that the server refuses reads the stored account again (`selectors.account`). So an account can be
replaced without a gap where the old one works until the new one is stored: create a second account, store it here,
drop the first. Where the password of the same account was changed on the servers, it is stored here afterwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from backend.clusters.models import Cluster, Credential, CredentialRole
from backend.clusters.references import given_password, referenced_account
from backend.clusters.selectors import cluster_access, cluster_get
from backend.clusters.statement_parts import check_account_part
from backend.clusters.trials import check_trials
from backend.common.errors import conflict
from backend.common.sealing import seal
from backend.common.transaction_retry import retry_on_rollback
from backend.gateway.connection.endpoint import NodeAccess, NodeEndpoint
from backend.gateway.trials import try_account
from backend.operations.runs.models import Run
from backend.registration.changes import Change, locked_cluster, record_change
from backend.registration.clusters import endpoint_for


def credential_replace(
    *,
    change: Change,
    cluster: Cluster,
    role: CredentialRole,
    user: str,
    password: str = "",
    reference: str | None = None,
    accept_unreachable: bool = False,
) -> Cluster:
    """Store the account, or the reference to its password, if it logs in with the privileges of its role on every node.

    The stored ones are not read: where the key that they were encrypted with is lost, they are replaced so.
    """
    given = {"user": user, "password": password, "reference": reference}
    stored_user, password = user, given_password(role, given, "", cluster.environment)
    if reference:
        user, password = referenced_account(user, reference)
    check_account_part(user, password, "")

    def endpoint_of(access: NodeAccess) -> NodeEndpoint:
        """This account and no other: one that is refused must not be replaced by the stored one."""
        return replace(endpoint_for(access, role), newest=None)

    nodes = cluster_access(cluster, only=(user, password)).nodes
    trials = try_account(nodes, role.value, endpoint_of)
    field = "reference" if reference else "password"
    check_trials(field, f"The {role.value} account {user}", trials, accepts_unreachable=accept_unreachable)
    untried = [trial.node for trial in trials if not trial.is_reached]
    sealed = "" if reference else seal(password, cluster_id=cluster.pk, role=role.value)
    _store(change, cluster.pk, role, {"user": stored_user, "sealed": sealed, "reference": reference}, untried)
    return cluster_get(cluster.pk)


@retry_on_rollback
def _store(
    change: Change, cluster_id: str, role: CredentialRole, fields: Mapping[str, str | None], untried: list[str]
) -> None:
    with locked_cluster(cluster_id, change.version) as (cluster, links):
        row = Credential.objects.select_for_update().get(cluster=cluster, role=role.value)
        check_not_rotating(row)
        before = _shown(row)
        for name, value in fields.items():
            setattr(row, name, value)
        row.read_at = row.read_problem = None
        row.other_sealed = row.rotation_run = row.is_rotated = None
        row.save()
        record_change(
            change,
            action="cluster:replace_credential",
            target=cluster.pk,
            links=links,
            message=f"{change.actor} replaced the {role.value} account of {cluster.name}.",
            facts={"role": role.value, "before": before, "after": _shown(row), "not_tried_on": untried},
        )


def check_not_rotating(row: Credential) -> None:
    """Refuse while a run exchanges the two passwords of this account."""
    if row.rotation_run and Run.objects.filter(pk=row.rotation_run).exclude(unfinished_link=None).exists():
        raise conflict(
            "run_unfinished",
            f"Run {row.rotation_run} rotates the password of this account. Nothing was changed. "
            "Wait for it, resume it or abort it.",
            run_id=row.rotation_run,
        )


def _shown(row: Credential) -> dict[str, str]:
    """What the audit log may show: never the password, but where it is if it is not here."""
    return {"user": row.user} | ({"reference": row.reference} if row.reference else {})
