"""Checks whether the new state UUID of a side that was bootstrapped again may be accepted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from backend.core.checks.context import CheckContext
from backend.core.facts.state_uuid import is_another_history, state_uuids
from backend.core.findings import Finding, Severity
from backend.core.topology import ClusterFacts


def check_new_history(ctx: CheckContext) -> Iterator[Finding]:
    """A side has exactly one new state UUID, and no node of that side may still run under the old one."""
    changed = [side for side in (ctx.link.active, ctx.link.standby) if is_another_history(side)]
    if not changed:
        yield Finding(
            "state_uuid_same",
            Severity.BLOCKER,
            "Both sides have the recorded state UUID. There is nothing to accept.",
            "Use relocate to move channels.",
        )
    yield from new_history_findings(ctx, changed)


def check_history_to_record(ctx: CheckContext) -> Iterator[Finding]:
    """Before a link has channels, no position rests on a recorded state UUID: a side that was copied has a new one."""
    yield from new_history_findings(ctx, [side for side in ctx.clusters if is_another_history(side)])


def new_history_findings(ctx: CheckContext, changed: Iterable[ClusterFacts]) -> Iterator[Finding]:
    """One new state UUID a side is recorded by the run; several are separate clusters."""
    for side in changed:
        found = sorted(state_uuids(side))
        facts = {"recorded": side.recorded_state_uuid, "seen": found}
        if len(found) > 1:
            yield Finding(
                "state_uuids_differ",
                Severity.BLOCKER,
                f"The nodes of {side.name} have {len(found)} different state UUIDs: they are separate clusters.",
                "Stop the nodes of the wrong cluster and let them join by state transfer.",
                facts,
            )
        else:
            yield Finding(
                "state_uuid_to_accept",
                Severity.WARNING,
                f"{side.name} was bootstrapped again (state UUID {found[0][:8]}). The run accepts the new state UUID "
                "once the data or the stream is proven.",
                facts=facts,
            )
        yield from _unseen(ctx, side)


def _unseen(ctx: CheckContext, side: ClusterFacts) -> Iterator[Finding]:
    """The new component never counted a node that does not respond: the old component may still run on it."""
    for node in side.nodes:
        name, facts = node.node.name, {"node": node.node.name, "node_id": node.node.id, "reach": node.reach.value}
        if node.is_up:
            continue
        if node.node.id in ctx.attested_fenced:
            sentence = f"{name} is unreachable. An operator attested that it is fenced."
            yield Finding("unreachable_node_attested", Severity.WARNING, sentence, facts=facts)
        else:
            yield Finding(
                "node_not_attested",
                Severity.UNKNOWN,
                f"{name} is not responding ({node.reach.value}) and may still accept writes under the old state UUID.",
                f"Start {name} so that it joins, or fence it and attest that {name} is fenced.",
                {**facts, "option": "attest_fenced"},
            )
