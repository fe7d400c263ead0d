"""The plan of a rotation of passwords, from the accounts as a node knows them now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from backend.clusters.models import Cluster, Credential, CredentialRole, Link
from backend.clusters.selectors import account
from backend.common.errors import invalid
from backend.common.sealing import SealError
from backend.core.checks.registry import ROTATION_CHECKS, run_checks
from backend.core.dialects.base import DialectError
from backend.core.dialects.passwords import both_passwords
from backend.core.plan import Plan as CorePlan
from backend.core.plans import rotate_passwords
from backend.core.ports import NodeError
from backend.core.rotation import ROLES, RotatedAccount
from backend.core.topology import ClusterFacts, NodeFacts
from backend.gateway.account_statements import native_hash
from backend.gateway.gateway import NodeGateway
from backend.gateway.grants import held_privileges
from backend.gateway.own_account import OwnAccount, own_account
from backend.gateway.reader import Reader
from backend.operations.runs.planning.configuration import other_run_finding
from backend.operations.runs.planning.facts import NO_CHOICE, build_context, unknown_run_findings

_STORE = "Store its account again on the page of its cluster, then create the plan again."


def plan_rotate_passwords(link: Link, gateway: NodeGateway, options: Mapping[str, Any]) -> CorePlan:
    """Every node of the side is a subject: each has to accept the new passwords."""
    side = options.get("side")
    if side is None:
        raise invalid("options.side", "Name the side whose passwords are rotated: active or standby.")
    roles = [role for role in ROLES if role in (options.get("roles") or ROLES)]
    ctx = build_context(link, gateway.observe_link(), gateway, {**options, **NO_CHOICE}, points=False)
    facts = ctx.link.active if side == "active" else ctx.link.standby
    ctx = replace(ctx, focus=facts.nodes)
    sides = {row.pk: row for row in (link.active_cluster, link.standby_cluster)}
    cluster = sides.pop(facts.id)
    (other,) = sides.values()
    finding = other_run_finding(link, cluster.pk)
    findings = (*run_checks(ctx, ROTATION_CHECKS), *([finding] if finding else []))
    return rotate_passwords.decide(
        ctx,
        (*findings, *unknown_run_findings(link, ctx.link, gateway, options)),
        [_account(cluster, other, role, facts, gateway) for role in roles],
        side=side,
        may_alter=_may_alter(facts, gateway),
        options=options,
    )


def _account(cluster: Cluster, other: Cluster, role: str, facts: ClusterFacts, gateway: NodeGateway) -> RotatedAccount:
    row = Credential.objects.get(cluster=cluster, role=role)
    if row.reference:
        remedy = "Change it in the store and on the servers, or store the password in Hawser."
        return _faulty(row, f"The {role} password of {cluster.name} is in a store ({row.reference}).", remedy)
    try:
        password = account(cluster, CredentialRole(role))[1]
        twins = _twins(row, password, other)
        seen = _seen(row.user, password, facts.nodes[0], gateway)
    except (SealError, NodeError) as error:
        return _faulty(row, f"The {role} account of {cluster.name} cannot be read: {error}", _STORE)
    fault = "" if twins is not None else _differs(row, cluster, other)
    fault = fault or _fault(row, seen, password, cluster.name)
    if fault or seen is None:
        return _faulty(row, fault, _STORE)
    return RotatedAccount(role, row.user, seen.host, (cluster.pk, *(twins or ())))


def _twins(row: Credential, password: str, other: Cluster) -> tuple[str, ...] | None:
    """The other side, where its account of the role is the same: a channel carries ALTER USER there.

    None where an account of that name exists there with another password or role, which the statement would replace.
    """
    named = list(Credential.objects.filter(cluster=other, user=row.user))
    if not named:
        return ()
    is_same = len(named) == 1 and named[0].role == row.role and not named[0].reference
    if not is_same or account(other, CredentialRole(row.role))[1] != password:
        return None
    return (other.pk,)


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


def _may_alter(facts: ClusterFacts, gateway: NodeGateway) -> bool | None:
    """Whether the operator account holds the privilege; None where its node cannot be asked."""
    access = gateway.access(facts.nodes[0].node.id)
    reader = Reader(access.ref, access.operator)
    try:
        return not held_privileges(reader).lacks((rotate_passwords.CREATE_USER,))
    except NodeError:
        return None
    finally:
        reader.close()
