"""Fence returned side: nodes of a lost side are fenced as they return, their channels stopped, their writes counted.

No operator requests this. It rests on the confirmed failover whose plan stated it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from backend.core.facts.fingerprint import fingerprint_of_returned
from backend.core.findings import Finding, Severity, is_refused
from backend.core.link_facts import LinkFacts
from backend.core.plan import Plan, Step
from backend.core.plans.builders.fence_steps import fence_returned_steps
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.kind import Operation
from backend.core.plans.presentation import roles_target
from backend.core.plans.semi_sync import with_semi_sync
from backend.core.returned_nodes import ReturnedNode, is_to_be_fenced
from backend.core.topology import Direction

KIND = "fence_returned_side"
FAILOVER_RUN = "failover_run"
"""The option that names the run on which this one rests."""


def decide(
    link: LinkFacts,
    nodes: Sequence[ReturnedNode],
    *,
    begins: Sequence[Mapping[str, str]],
    now_s: float,
    findings: Sequence[Finding] = (),
    may_set_semi_sync: Mapping[str, bool],
) -> Plan:
    """A plan to fence these nodes, ready or refused.

    `begins`: where each node's writes since its return begin, earliest return first, as the counting step needs them.
    """
    divergence = link.divergence
    lost, survivor = link.standby, link.active
    everything = (*findings, _authority(link))
    plan = Plan(
        kind=KIND,
        link_id=link.id,
        link_name=link.name,
        created_at_s=now_s,
        summary=f"Fence {lost.name}, which returned ({', '.join(one.facts.node.name for one in nodes)})",
        findings=everything,
        positions=(),
        loss={
            "transactions": 0,
            "seconds": 0,
            "detail": f"The writes of {lost.name} since its return stay there and are counted. Nothing is discarded.",
        },
        steps=() if is_refused(everything) or not nodes else _steps(link, nodes, begins),
        fingerprint=fingerprint_of_returned(link, [one.facts.node.id for one in nodes]),
        target=roles_target(survivor, lost),
        options={FAILOVER_RUN: divergence.run_id if divergence else ""},
        situation={
            "sentence": f"{lost.name} was lost in a failover and returned. {survivor.name} is the only active side.",
            "old_source_name": "",
            "old_replica_name": "",
            "lost": [node.node.name for node in lost.nodes if not node.is_up],
        },
    )
    return with_semi_sync(plan, link, may_set_semi_sync)


def _authority(link: LinkFacts) -> Finding:
    """The plan may fence only a side that a failover invalidated, if its plan stated so, until it is reconciled."""
    lost, divergence = link.standby.name, link.divergence
    if divergence is None or not is_to_be_fenced(link):
        message = f"No open failover states that {lost} is fenced when it returns."
        remedy = f"Fence {lost} (plan kind reprotect, orphans: fence)."
        return Finding("fence_not_confirmed", Severity.BLOCKER, message, remedy)
    message = f"The confirmed failover {divergence.run_id} states that {lost} is fenced when it returns."
    return Finding("fence_confirmed_by_failover", Severity.OK, message, facts={"run_id": divergence.run_id})


def _steps(link: LinkFacts, nodes: Sequence[ReturnedNode], begins: Sequence[Mapping[str, str]]) -> tuple[Step, ...]:
    lost, steps = link.standby, StepList()
    steps.add("recheck", f"Check that {lost.name} is still the lost side")
    fence_returned_steps(steps, lost, link.holders(Direction.FORWARD), [one.facts for one in nodes])
    named: list[dict[str, Any]] = [dict(begin) for begin in begins]
    steps.add(
        "count_returned_writes",
        f"Count the transactions that {lost.name} wrote since its return",
        cluster_id=lost.id,
        begins=named,
    )
    return tuple(steps.steps)


OPERATION = Operation(
    kind=KIND,
    done="fenced the returned side {standby} of {link}",
    to_do="fence the returned side {standby} of {link}",
    is_emergency=True,
    proves_continuity=False,
)
