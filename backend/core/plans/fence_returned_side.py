"""Fence nodes of a lost side as they return: closed to writes, their channels stopped, what they wrote counted.

No person asks for it. It rests on the failover whose plan said so, and that a person confirmed.
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
from backend.core.plans.presentation import roles_target
from backend.core.returned_nodes import ReturnedNode, is_to_be_fenced
from backend.core.topology import Direction

KIND = "fence_returned_side"
FAILOVER_RUN = "failover_run"
"""The option that names the run this one rests on."""


def decide(
    link: LinkFacts,
    nodes: Sequence[ReturnedNode],
    *,
    begins: Sequence[Mapping[str, str]],
    now_s: float,
    findings: Sequence[Finding] = (),
) -> Plan:
    """A plan to fence these nodes, ready or refused.

    `begins`: where what each node wrote since its return begins, earliest return first, as the step that counts needs.
    """
    divergence = link.divergence
    lost, survivor = link.standby, link.active
    everything = (*findings, _authority(link))
    return Plan(
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
            "detail": f"What {lost.name} wrote since it returned is kept there and counted; nothing is thrown away.",
        },
        steps=() if is_refused(everything) or not nodes else _steps(link, nodes, begins),
        fingerprint=fingerprint_of_returned(link, [one.facts.node.id for one in nodes]),
        target=roles_target(survivor, lost),
        options={FAILOVER_RUN: divergence.run_id if divergence else ""},
        situation={
            "sentence": f"{lost.name} was lost in a failover and returns. {survivor.name} takes writes alone.",
            "old_source_name": "",
            "old_replica_name": "",
            "lost": [node.node.name for node in lost.nodes if not node.is_up],
        },
    )


def _authority(link: LinkFacts) -> Finding:
    """Only what a failover invalidated, only where its plan said so, and only until it is reconciled."""
    lost, divergence = link.standby.name, link.divergence
    if divergence is None or not is_to_be_fenced(link):
        message = f"No failover that counts still said that {lost} is to be fenced when it returns."
        return Finding("fence_not_confirmed", Severity.BLOCKER, message, "Fence it by a reprotect (orphans: fence).")
    message = f"The failover {divergence.run_id}, which was confirmed, said that {lost} is fenced when it returns."
    return Finding("fence_confirmed_by_failover", Severity.OK, message, facts={"run_id": divergence.run_id})


def _steps(link: LinkFacts, nodes: Sequence[ReturnedNode], begins: Sequence[Mapping[str, str]]) -> tuple[Step, ...]:
    lost, steps = link.standby, StepList()
    steps.add("recheck", f"See that {lost.name} is still the side that was lost")
    fence_returned_steps(steps, lost, link.holders(Direction.FORWARD), [one.facts for one in nodes])
    named: list[dict[str, Any]] = [dict(begin) for begin in begins]
    steps.add(
        "count_returned_writes",
        f"Count what {lost.name} wrote of its own since it returned",
        cluster_id=lost.id,
        begins=named,
    )
    return tuple(steps.steps)
