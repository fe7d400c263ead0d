"""Configure: settings of a cluster are changed while its nodes run, one node after the other.

The first node is one without a channel. Its values are read back and it is watched before the second node is touched.
There is no point of no return: a failed step or check sets every value back to what was read before, last first. The
plan is one of a link, of which it takes the lock; `side` says which of its clusters is changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from backend.core.adviser.advice.changes import ConfigurationChange, option_change, variable_change
from backend.core.adviser.advice.configuration.ranges import NOT_ABOVE, is_option, range_of
from backend.core.adviser.advice.facts import ClusterConfiguration, NodeConfiguration
from backend.core.adviser.advice.options.values import same
from backend.core.checks.console import check_approval, check_no_other_run
from backend.core.checks.context import CheckContext
from backend.core.checks.groups import NODE_CHECKS
from backend.core.checks.nodes import check_state_uuid
from backend.core.checks.run import Check
from backend.core.facts.fingerprint import fingerprint
from backend.core.facts.restarted_fence import restart_opens_finding
from backend.core.findings import Finding, is_refused
from backend.core.plan import Plan, Step
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.kind import Given, Options, PlanFacts, PlanKind
from backend.core.plans.presentation import pair_target
from backend.core.plans.setting_findings import setting_findings
from backend.core.plans.target import TargetError
from backend.core.plural import pluralize
from backend.core.topology import NodeFacts

KIND = "configure"
FIRST_NODE_S = 5.0
"""For how long the first node is watched: longer than a node takes to suspect a silent peer in a local network."""
OTHER_NODE_S = 1.0

CONFIGURE_CHECKS: tuple[Check, ...] = (
    check_no_other_run,
    *NODE_CHECKS,
    check_state_uuid,
    check_approval,
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A setting by its name, and the value that every node is to have."""

    name: str
    value: str


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    cluster: ClusterConfiguration,
    wanted: Sequence[Wanted],
    *,
    may_set: Mapping[str, Mapping[str, bool]],
    options: Mapping[str, Any],
) -> Plan:
    """Turn the facts and settings of the side (`ctx.focus`) into a plan, ready or refused.

    `may_set` says by node id and privilege what the operator account holds; a node that is missing is unknown.
    """
    values = {one.name: one.value for one in wanted}
    changes = {node.node_id: ordered(node, changes_of(node, values)) for node in first_to_last(cluster)}
    everything = (*findings, *setting_findings(cluster, values, changes, may_set))
    everything += _opened_by_restart(ctx, everything)
    names = ", ".join(values)
    return Plan(
        kind=KIND,
        link_id=ctx.link.id,
        link_name=ctx.link.name,
        created_at_s=ctx.now_s,
        summary=f"Change {names} on {cluster.name}",
        findings=everything,
        positions=(),
        loss={"transactions": 0, "seconds": 0, "detail": "No data and no channel is touched; writes continue."},
        steps=() if is_refused(everything) else _steps(ctx, cluster, changes),
        fingerprint=fingerprint(ctx.link, [node.node.id for node in ctx.focus]),
        target=pair_target(ctx),
        options=dict(options),
        situation={
            "sentence": " ".join(_sentence(cluster, name, value) for name, value in values.items()),
            "old_source_name": ctx.pair[0].node.name,
            "old_replica_name": ctx.pair[1].node.name,
            "lost": [],
        },
    )


def _opened_by_restart(ctx: CheckContext, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Where a setting needs a restart of nodes that a run fenced."""
    if not ctx.focus or all(finding.code != "setting_needs_restart" for finding in found):
        return ()
    opens = restart_opens_finding(ctx.link, ctx.cluster_of(ctx.focus[0]), ctx.focus)
    return (opens,) if opens else ()


def first_to_last(cluster: ClusterConfiguration) -> list[NodeConfiguration]:
    """The nodes in the order in which they are changed: those of the link's channels last."""
    return sorted(cluster.nodes, key=lambda node: node.node_id in cluster.channel_nodes)


def changes_of(node: NodeConfiguration, values: Mapping[str, str]) -> list[ConfigurationChange]:
    """What is to be changed on one node; nothing where it has the value already, or was not read."""
    if not node.is_read:
        return []
    made = [
        option_change(node, name, value) if is_option(name) else variable_change(node, name, value)
        for name, value in values.items()
    ]
    return [change for change in made if change.before is None or not same(change.before, change.after)]


def ordered(node: NodeConfiguration, changes: Sequence[ConfigurationChange]) -> list[ConfigurationChange]:
    """The changes so that no option is above the one that bounds it, between any two statements."""
    found = list(changes)
    for lower, upper in NOT_ABOVE:
        pair = {change.name: change for change in found if change.name in (lower, upper)}
        if len(pair) == 2:
            indexes = sorted(found.index(change) for change in pair.values())
            names = (upper, lower) if _is_raised(pair[upper]) else (lower, upper)
            for index, name in zip(indexes, names, strict=True):
                found[index] = pair[name]
    return found


def _is_raised(change: ConfigurationChange) -> bool:
    known = range_of(change.name)
    before, after = (known.read(value or "") if known else None for value in (change.before, change.after))
    return before is not None and after is not None and after > before


def _sentence(cluster: ClusterConfiguration, name: str, value: str) -> str:
    shown = [node.options.get(name) if is_option(name) else node.variables.get(name) for node in cluster.nodes]
    now = " or ".join(sorted({text or "unknown" for text in shown}))
    return f"{name} of {cluster.name} is {now} and becomes {value}."


def _steps(
    ctx: CheckContext, cluster: ClusterConfiguration, changes: Mapping[str, Sequence[ConfigurationChange]]
) -> tuple[Step, ...]:
    facts = {node.node.id: node for node in ctx.focus}
    steps = StepList()
    steps.add("recheck", "Read both sides again and compare with the plan")
    steps.add("recheck_settings", f"Read the settings of {cluster.name} again", cluster_id=cluster.id)
    touched = [node for node in first_to_last(cluster) if changes[node.node_id]]
    for index, node in enumerate(touched):
        for change in changes[node.node_id]:
            _set_step(steps, facts[node.node_id], change)
        _watch_step(steps, facts[node.node_id], FIRST_NODE_S if index == 0 else OTHER_NODE_S)
    steps.add("verify_settings", f"Read the settings of {pluralize(len(touched), 'node')} again")
    return tuple(steps.steps)


def _set_step(steps: StepList, node: NodeFacts, change: ConfigurationChange) -> None:
    steps.add(
        "set_setting",
        f"{node.node.name}: change {change.name} from {change.before} to {change.after}",
        node,
        sql=(change.sql.rstrip(";"),),
        undo=(change.undo.rstrip(";"),),
        setting=change.name,
        is_option=change.is_option,
        was=change.before,
        wanted=change.after,
        cluster_size=_size(node),
    )


def _watch_step(steps: StepList, node: NodeFacts, hold_s: float) -> None:
    title = f"{node.node.name}: watch for {hold_s:g} s that it stays Primary and Synced"
    steps.add("verify_node_health", title, node, hold_s=hold_s, cluster_size=_size(node))


def _size(node: NodeFacts) -> int:
    assert node.wsrep is not None, "a node without Galera status refuses the plan"
    return node.wsrep.cluster_size


def parse_settings(given: Sequence[Mapping[str, str]]) -> Iterator[Wanted]:
    """The option `settings` of a plan."""
    return (Wanted(str(one["name"]), str(one["value"])) for one in given)


def _in_context(ctx: CheckContext, options: Options, facts: PlanFacts) -> CheckContext:
    """Every node of the side is a subject: each must be known to be healthy before the first is changed."""
    del facts
    if options.get("side") is None or not options.get("settings"):
        raise TargetError("settings", "Name the side (active or standby) and the settings with their values.")
    return replace(ctx, focus=ctx.side(options["side"]).nodes)


def _decide(given: Given) -> Plan:
    side, options = given.ctx.side(given.options["side"]), given.options
    return decide(
        given.ctx,
        given.findings,
        given.facts.configuration(given.ctx, side),
        tuple(parse_settings(options["settings"])),
        may_set=given.facts.may_set(side),
        options=options,
    )


PLAN_KIND = PlanKind(
    kind=KIND,
    done="changed settings of a cluster of {link}",
    to_do="change settings of a cluster of {link}",
    is_emergency=False,
    proves_continuity=False,
    checks=CONFIGURE_CHECKS,
    decide=_decide,
    in_context=_in_context,
    findings=lambda ctx, options, facts: facts.other_run(ctx.side(options["side"]).id),
)
