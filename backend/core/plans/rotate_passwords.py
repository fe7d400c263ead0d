"""Rotate passwords: the accounts of one side get new passwords, while the old ones stay valid until all use the new.

Both passwords are valid from the first statement to the last. Before the first channel or the first removal of an old
password, every failure goes back: the old password alone is valid, and the console uses it. From there on the run only
goes forward; it can stop anywhere and be resumed, because both passwords log in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.channels import check_channel_errors
from backend.core.checks.context import CheckContext
from backend.core.checks.remove_channels import check_no_open_divergence
from backend.core.checks.run import Check
from backend.core.checks.semi_sync import check_semi_sync
from backend.core.dialects.passwords import both_passwords, channel_password, only_password
from backend.core.facts.fingerprint import fingerprint
from backend.core.findings import Finding, Severity, is_refused
from backend.core.plan import Plan, Step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.configure import CONFIGURE_CHECKS
from backend.core.plans.kind import Given, Options, PlanFacts, PlanKind
from backend.core.plans.presentation import pair_target
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.plans.target import TargetError
from backend.core.rotation import ROLES, RotatedAccount
from backend.core.topology import ChannelFacts, NodeFacts

KIND = "rotate_passwords"
CREATE_USER = "CREATE USER"

ROTATION_CHECKS: tuple[Check, ...] = (
    check_no_open_divergence,
    *CONFIGURE_CHECKS,
    check_channel_errors,
    check_semi_sync,
)
"""Every node of the side is up and known; a channel with an error could not carry a statement across."""


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    accounts: Sequence[RotatedAccount],
    *,
    side: str,
    may_alter: bool | None,
    options: Mapping[str, Any],
) -> Plan:
    """Turn the facts and accounts of a side into a plan, ready or refused. `may_alter` None is unknown."""
    cluster = ctx.side(side)
    everything = (*findings, *_account_findings(accounts), *_privilege_findings(cluster.name, may_alter))
    everything = (*everything, *_channel_findings(ctx, cluster.id, accounts))
    named = ", ".join(account.role for account in accounts)
    plan = Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=f"Rotate the passwords of {cluster.name}: {named}",
        findings=everything,
        positions=(),
        loss={"transactions": 0, "seconds": 0, "detail": "No data is touched; writes continue."},
        steps=() if is_refused(everything) else _steps(ctx, cluster.id, accounts),
        fingerprint=fingerprint(ctx.link, [node.node.id for node in ctx.focus]),
        target=pair_target(ctx),
        options=dict(options),
        situation={
            "sentence": f"The {named} passwords of {cluster.name} are replaced by new ones that Hawser makes.",
            "old_source_name": ctx.pair[0].node.name,
            "old_replica_name": ctx.pair[1].node.name,
            "lost": [],
        },
    )
    return with_semi_sync(plan, ctx.link, ctx.may_set_semi_sync)


def _account_findings(accounts: Sequence[RotatedAccount]) -> Iterator[Finding]:
    for account in accounts:
        if account.fault:
            facts = {"role": account.role, "user": account.user}
            yield Finding("password_not_rotatable", Severity.BLOCKER, account.fault, account.remedy, facts)


def _privilege_findings(cluster: str, may_alter: bool | None) -> Iterator[Finding]:
    remedy = f"GRANT {CREATE_USER} ON *.* to the operator account for the rotation, and revoke it afterwards."
    if may_alter is None:
        message = f"It is unknown whether the operator account of {cluster} may change passwords."
        yield Finding("rotation_privilege_missing", Severity.UNKNOWN, message, remedy)
    elif not may_alter:
        message = f"The operator account of {cluster} lacks {CREATE_USER}, which ALTER USER needs."
        yield Finding("rotation_privilege_missing", Severity.BLOCKER, message, remedy)


def _channel_findings(ctx: CheckContext, cluster_id: str, accounts: Sequence[RotatedAccount]) -> Iterator[Finding]:
    """A channel that does not run would not show whether the new password works, and would not carry it across."""
    for node, channel in _channels_of(ctx, cluster_id, accounts):
        if channel.io_running != "Yes" or channel.sql_running != "Yes":
            message = f"The channel on {node.node.name} does not run, so its new password could not be verified."
            facts = {"node": node.node.name, "channel": channel.name}
            yield Finding("rotation_channel_stopped", Severity.BLOCKER, message, "Start the channel first.", facts)


def _steps(ctx: CheckContext, cluster_id: str, accounts: Sequence[RotatedAccount]) -> tuple[Step, ...]:
    steps, node = StepList(), ctx.focus[0]
    steps.add("recheck", "Read both sides again and compare with the plan")
    for account in accounts:
        common = _common(ctx, account)
        steps.add("prepare_password", f"Make a new {account.role} password and store it encrypted", **common)
        steps.add(
            "add_password",
            f"{node.node.name}: let {account.user} log in with the new password and the old one",
            node,
            sql=(both_passwords(account.user, account.host, account.role),),
            undo=(only_password(account.user, account.host, account.role, "old"),),
            **common,
        )
        steps.add("verify_password", f"Log in as {account.user} with the new password on every node", **common)
        steps.add("use_password", f"Use the new {account.role} password in Hawser", **common)
    _channel_steps(steps, ctx, cluster_id, accounts)
    for account in accounts:
        _drop_step(steps, node, account, _common(ctx, account))
    return _with_return(steps.steps)


def _channel_steps(steps: StepList, ctx: CheckContext, cluster_id: str, accounts: Sequence[RotatedAccount]) -> None:
    for node, channel in _channels_of(ctx, cluster_id, accounts):
        steps.add(
            "channel_password",
            f"{node.node.name}: give the channel from {channel.source_host}:{channel.source_port} the new password",
            node,
            sql=(channel_password(channel.name),),
            name=channel.name,
            source=list(channel.source_address),
            rotation={"role": "replication", "cluster_ids": [cluster_id]},
        )


def _drop_step(steps: StepList, node: NodeFacts, account: RotatedAccount, common: Mapping[str, Any]) -> None:
    steps.add(
        "drop_password",
        f"{node.node.name}: end the old password of {account.user}",
        node,
        sql=(only_password(account.user, account.host, account.role, "new"),),
        **common,
    )


def _common(ctx: CheckContext, account: RotatedAccount) -> dict[str, Any]:
    clusters = [cluster for cluster in (ctx.link.active, ctx.link.standby) if cluster.id in account.cluster_ids]
    return {
        "rotation": {"role": account.role, "cluster_ids": list(account.cluster_ids)},
        "node_ids": [node.node.id for cluster in clusters for node in cluster.nodes],
    }


def _channels_of(
    ctx: CheckContext, cluster_id: str, accounts: Sequence[RotatedAccount]
) -> Iterator[tuple[NodeFacts, ChannelFacts]]:
    """The channels, on nodes of the link, that log in at the side with its replication account."""
    users = {account.user for account in accounts if account.role == "replication"}
    side = ctx.link.active if ctx.link.active.id == cluster_id else ctx.link.standby
    addresses = {node.node.address for node in side.nodes}
    for node in (*ctx.link.active.nodes, *ctx.link.standby.nodes):
        for channel in node.channels or ():
            if channel.source_user in users and channel.source_address in addresses:
                yield node, channel


def _with_return(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The point of no return is the first statement after which a way back would have to touch channels again."""
    first = next(step.index for step in steps if step.code in ("channel_password", "drop_password"))
    return tuple(replace(step, point_of_no_return=step.index == first) for step in steps)


def _in_context(ctx: CheckContext, options: Options, facts: PlanFacts) -> CheckContext:
    """Every node of the side is a subject: each has to accept the new passwords."""
    del facts
    if options.get("side") is None:
        raise TargetError("side", "Name the side whose passwords are rotated: active or standby.")
    return replace(ctx, focus=ctx.side(options["side"]).nodes)


def _decide(given: Given) -> Plan:
    side = given.ctx.side(given.options["side"])
    roles = [role for role in ROLES if role in (given.options.get("roles") or ROLES)]
    return decide(
        given.ctx,
        given.findings,
        given.facts.accounts(side, roles),
        side=given.options["side"],
        may_alter=given.facts.may_alter(side),
        options=given.options,
    )


PLAN_KIND = PlanKind(
    kind=KIND,
    done="rotated passwords of a cluster of {link}",
    to_do="rotate passwords of a cluster of {link}",
    is_emergency=False,
    proves_continuity=False,
    checks=ROTATION_CHECKS,
    decide=_decide,
    in_context=_in_context,
    findings=lambda ctx, options, facts: facts.other_run(ctx.side(options["side"]).id),
)
