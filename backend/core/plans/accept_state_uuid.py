"""Accept state UUID: the new state UUID of a side that was bootstrapped again is proven, and only then recorded.

The proof is that of a relocate onto the nodes that hold the channels. They are stopped, what each side last applied is
found by content in the other side's log with nothing missing, and the channels resume there. A seqno under the old
state UUID shows nothing about the new one. Where the side lacks what the other one holds of it, no position is proven.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from backend.core.checks.channels import check_move_needed
from backend.core.checks.context import CheckContext
from backend.core.checks.log_continuity import check_history_continues, check_seam_to_prove
from backend.core.checks.nodes import check_state_uuid
from backend.core.checks.run import Check
from backend.core.checks.state_uuid import check_new_history
from backend.core.facts.state_uuid import NewHistory, is_another_history, new_histories
from backend.core.findings import Finding
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.plan import Plan, Step
from backend.core.plans import relocate
from backend.core.plans.already_applied import blocks_search
from backend.core.plans.builders.step_list import StepList
from backend.core.plans.context import locate_requests
from backend.core.plans.kind import PAIR, PlanKind
from backend.core.plans.target import is_fit
from backend.core.topology import Direction

KIND = "accept_state_uuid"

_NEW_HISTORY: dict[Check, tuple[Check, ...]] = {
    check_state_uuid: (check_new_history,),
    check_seam_to_prove: (check_history_continues,),
    check_move_needed: (),
}
ACCEPT_CHECKS: tuple[Check, ...] = tuple(
    instead for check in relocate.RELOCATE_CHECKS for instead in _NEW_HISTORY.get(check, (check,))
)
"""The checks of a relocate, except that a new state UUID is expected and the channels need not move."""


def decide(
    ctx: CheckContext,
    findings: Sequence[Finding],
    located: Sequence[Located],
    *,
    replication_users: Mapping[str, str],
    options: Mapping[str, Any],
) -> Plan:
    """Turn facts, findings and located positions into a plan, ready or refused; arguments as of a relocate."""
    proof = relocate.decide(ctx, findings, located, replication_users=replication_users, options=options)
    found = new_histories(ctx.link)
    names = " and ".join(one.side.name for one in found) or ctx.link.active.name
    return replace(
        proof,
        kind=KIND,
        summary=f"Accept the new state UUID of {names}",
        steps=(*proof.steps, *record_steps(len(proof.steps), found)) if proof.steps else (),
        situation={**proof.situation, "sentence": _sentence(found) or proof.situation["sentence"]},
    )


def with_compared_sources(link: LinkFacts, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options, with the node from which each channel of a changed side reads, where it serves and none was chosen.

    Only of its log it was compared whether it goes on. A channel that stopped reading there gets a new position.
    """
    chosen = dict(options)
    for direction, option in ((Direction.FORWARD, "source_node"), (Direction.REVERSE, "replica_node")):
        recorded = link.recorded_channel(direction)
        if recorded is None or chosen.get(option) is not None or not is_another_history(link.source_cluster(direction)):
            continue
        if is_fit(link.node(recorded.source_node_id)):
            chosen[option] = recorded.source_node_id
    return chosen


def record_steps(count: int, found: Sequence[NewHistory]) -> tuple[Step, ...]:
    """The steps behind the first `count` that record new state UUIDs."""
    steps = StepList()
    for one in found:
        steps.add(
            "record_state_uuid",
            f"{one.side.name}: record the state UUID {one.state_uuid}",
            cluster_id=one.side.id,
            side=one.side.name,
            recorded=one.side.recorded_state_uuid,
            state_uuid=one.state_uuid,
        )
    return tuple(replace(step, index=count + step.index) for step in steps.steps)


def _sentence(found: Sequence[NewHistory]) -> str:
    return " ".join(
        f"{one.side.name} was bootstrapped again (state UUID {one.state_uuid[:8]} instead of "
        f"{(one.side.recorded_state_uuid or 'unknown')[:8]}). Its seqnos start again; its data may be the same."
        for one in found
    )


PLAN_KIND = PlanKind(
    kind=KIND,
    done="accepted a new state UUID on {link}",
    to_do="accept a new state UUID on {link}",
    is_emergency=True,
    proves_continuity=True,
    checks=ACCEPT_CHECKS,
    decide=lambda one: decide(
        one.ctx, one.findings, one.located, replication_users=one.facts.replication_users(), options=one.options
    ),
    chooses=PAIR,
    prefers=with_compared_sources,
    waits_for_expulsion=True,
    findings=lambda ctx, _options, facts: facts.held_data(ctx),
    is_probed=lambda *_: True,
    requests=lambda ctx, _options: locate_requests(ctx.moves),
    is_search_blocked=blocks_search,
)
