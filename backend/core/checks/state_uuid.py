"""Whether a side that was bootstrapped anew may be taken for the one that was recorded."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.state_uuid import is_another_history, state_uuids
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts


def check_new_history(ctx: CheckContext) -> Iterator[Finding]:
    """There is a new history, it is one, and no node of that side may still live in the old one."""
    changed = [side for side in (ctx.link.active, ctx.link.standby) if is_another_history(side)]
    if not changed:
        yield Finding(
            "state_uuid_same",
            Severity.BLOCKER,
            "Both sides show the history that was recorded: there is nothing to accept.",
            "To move channels use relocate.",
        )
    for side in changed:
        found = sorted(state_uuids(side))
        facts = {"recorded": side.recorded_state_uuid, "seen": found}
        if len(found) > 1:
            yield Finding(
                "state_uuids_differ",
                Severity.BLOCKER,
                f"The nodes of {side.name} belong to {len(found)} histories: two clusters of one name take writes.",
                "Stop the nodes of the wrong one and let them join by state transfer.",
                facts,
            )
        else:
            yield Finding(
                "state_uuid_to_accept",
                Severity.WARNING,
                f"{side.name} was bootstrapped anew ({found[0][:8]}): accepted where its stream is proven to go on.",
                facts=facts,
            )
        yield from _unseen(ctx, side)


def _unseen(ctx: CheckContext, side: ClusterFacts) -> Iterator[Finding]:
    """A node that does not answer was never counted by the new component: the old one may live on it."""
    for node in side.nodes:
        name, facts = node.node.name, {"node": node.node.name, "node_id": node.node.id, "reach": node.reach.value}
        if node.is_up:
            continue
        if node.node.id in ctx.attested_fenced:
            sentence = f"{name} is not seen; a person attests that it is fenced."
            yield Finding("unreachable_node_attested", Severity.WARNING, sentence, facts=facts)
        else:
            yield Finding(
                "node_not_attested",
                Severity.UNKNOWN,
                f"{name} does not answer ({node.reach.value}): it may still take writes in the old history.",
                f"Start {name} so that it joins, or fence it and attest it by name.",
                {**facts, "option": "attest_fenced"},
            )
