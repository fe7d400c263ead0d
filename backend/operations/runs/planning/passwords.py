"""What the plan of a rotation of passwords rests on: the accounts as a node knows them now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backend.clusters.models import Cluster, Credential, CredentialRole, Link
from backend.clusters.password_comparisons import PLANNED, record_comparison
from backend.clusters.selectors import account
from backend.common.sealing import SealError
from backend.core.dialects.base import DialectError
from backend.core.dialects.passwords import both_passwords
from backend.core.plans import rotate_passwords
from backend.core.ports import NodeError
from backend.core.rotation import RotatedAccount
from backend.core.topology import ClusterFacts, NodeFacts
from backend.gateway.account_statements import native_hash
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import held_privileges
from backend.gateway.own_account import OwnAccount, own_account
from backend.gateway.reader import Reader
from backend.identity.accounts.persons import os_user_of

_STORE = "Store its account again on the page of its cluster, then create the plan again."


def accounts_of(
    link: Link, side: ClusterFacts, roles: Sequence[str], gateway: NodeGateway, actor: str
) -> list[RotatedAccount]:
    """The side's stored accounts of these roles as a node knows them.

    Raises 429 `too_many_comparisons` where an account of either side was compared too often within an hour.
    """
    sides = {row.pk: row for row in (link.active_cluster, link.standby_cluster)}
    cluster = sides.pop(side.id)
    (other,) = sides.values()
    return [_account(cluster, other, role, side, gateway, actor) for role in roles]


def _account(
    cluster: Cluster, other: Cluster, role: str, facts: ClusterFacts, gateway: NodeGateway, actor: str
) -> RotatedAccount:
    row = Credential.objects.select_related("cluster").get(cluster=cluster, role=role)
    if row.reference:
        remedy = "Change it in the store and on the servers, or store the password in Hawser."
        return _faulty(row, f"The {role} password of {cluster.name} is in a store ({row.reference}).", remedy)
    try:
        password = account(cluster, CredentialRole(role))[1]
        twins = _twins(row, password, other, actor)
        seen = _seen(row.user, password, facts.nodes[0], gateway)
    except (SealError, NodeError) as error:
        return _faulty(row, f"The {role} account of {cluster.name} cannot be read: {error}", _STORE)
    fault = "" if twins is not None else _differs(row, cluster, other)
    fault = fault or _fault(row, seen, password, cluster.name)
    if fault or seen is None:
        return _faulty(row, fault, _STORE)
    return RotatedAccount(role, row.user, seen.host, (cluster.pk, *(twins or ())))


def _twins(row: Credential, password: str, other: Cluster, actor: str) -> tuple[str, ...] | None:
    """The other side, where its account of the role is the same: a channel carries ALTER USER there.

    None where an account of that name exists there with another password or role, which the statement would replace.
    Whoever entered one of the two passwords learns so whether it is the other one, so that it counts as a guess; at
    the shell of a console host both can be opened.
    """
    named = list(Credential.objects.filter(cluster=other, user=row.user).select_related("cluster"))
    if not named:
        return ()
    if len(named) > 1 or named[0].role != row.role or named[0].reference:
        return None
    if os_user_of(actor) is None:
        record_comparison(PLANNED, actor, (row, *named))
    return (other.pk,) if account(other, CredentialRole(row.role))[1] == password else None


def _differs(row: Credential, cluster: Cluster, other: Cluster) -> str:
    return (
        f"{other.name} has an account {row.user}, too, with another password or role than on {cluster.name}. "
        "A channel would carry the change there and lock it out."
    )


def _seen(user: str, password: str, node: NodeFacts, gateway: NodeGateway) -> OwnAccount | None:
    access = gateway.access(node.node.id)
    return own_account(node.node.name, replace(access.operator, user=user, password=password, newest=None))


def _fault(row: Credential, seen: OwnAccount | None, password: str, cluster: str) -> str:
    """Why ALTER USER would change more than the password, or something else than is known."""
    subject = f"The {row.role} account {row.user} of {cluster}"
    if seen is None or native_hash(password) not in seen.hashes:
        return f"{subject} does not log in by mysql_native_password with the stored password alone."
    try:
        both_passwords(row.user, seen.host, row.role)
    except DialectError as error:
        return f"{subject} cannot be named in a statement: {error}."
    return ""


def _faulty(row: Credential, fault: str, remedy: str) -> RotatedAccount:
    return RotatedAccount(row.role, row.user, "", (row.cluster_id,), fault, remedy)


def may_alter(facts: ClusterFacts, gateway: NodeGateway) -> bool | None:
    """Whether the operator account holds the privilege; None where its node cannot be asked."""
    access = gateway.access(facts.nodes[0].node.id)
    reader = Reader(access.ref, access.operator)
    try:
        return not held_privileges(reader).lacks((rotate_passwords.CREATE_USER,))
    except NodeError:
        return None
    finally:
        reader.close()
