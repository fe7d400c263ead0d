"""Read everything again and compare it with what the plan rests on; nothing is sent before it holds."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from typing import Any, Final

from backend.core.checks.unknown_runs import ATTEST, sentence, strangers
from backend.core.facts.fingerprint import changes, fingerprint_again
from backend.core.plan import Step
from backend.core.ports import NodeError
from backend.core.probe import Written, all_sql, written
from backend.core.steps.base import Deed, Proof, Seen, StepContext
from backend.core.topology import LinkFacts, NodeFacts

LOOK_AGAIN_S: Final = 1.0
"""A server that paused for one read, or a channel that reconnected just then, is no changed fact: it is asked twice."""


class Recheck:
    """Implements StepKind; reads only."""

    def look(self, ctx: StepContext, step: Step) -> Seen:
        """Always to be read anew."""
        return Seen(Deed.TO_DO, "read both sides")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """Equal facts, and a plan that has not run out of time."""
        if ctx.clock.now_s() > ctx.plan.expires_at_s:
            return Proof(False, "The plan has expired before its first statement; make a new one.")
        link, found = _changed(ctx)
        if found:
            ctx.clock.sleep(LOOK_AGAIN_S)
            link, found = _changed(ctx, is_patient=True)
        if found:
            first = found[0]
            return Proof(
                False,
                f"{len(found)} fact(s) changed since the plan, first {first['fact']}: "
                f"{first['planned']} is now {first['now']}. Nothing was sent; make a new plan.",
                {"changes": found},
            )
        strange = _strangers(ctx, link)
        if strange:
            return Proof(False, f"{sentence(strange[-1])} Nothing was sent.", {"runs": [p.run_id for p in strange]})
        count = len(ctx.plan.fingerprint)
        return Proof(True, f"facts equal, 0 of {count} differ", {"compared": count})


def _changed(ctx: StepContext, *, is_patient: bool = False) -> tuple[LinkFacts, list[dict[str, Any]]]:
    """Both sides now, and what differs from the plan."""
    link = ctx.gateway.observe_link(is_patient=is_patient)
    return link, changes(ctx.plan.fingerprint, fingerprint_again(ctx.plan.fingerprint, link))


def _strangers(ctx: StepContext, link: LinkFacts) -> list[Written]:
    """Runs that the servers know and the record does not; a plan that cannot be probed has said so."""
    if not ctx.plan.options.get("probe", True) or ctx.plan.options.get(ATTEST):
        return []
    sql = all_sql(ctx.plan.link_id)
    answered = (_first_answer(ctx, cluster.nodes, sql) for cluster in (link.active, link.standby))
    return strangers(chain.from_iterable(answered), ctx.console.knows_run)


def _first_answer(ctx: StepContext, nodes: Iterable[NodeFacts], sql: str) -> tuple[Written, ...]:
    """A cluster's probes, from the first of its nodes that tells; none where nobody does, as the plan has warned."""
    for node in nodes:
        if node.is_up:
            with suppress(NodeError):
                return written(ctx.gateway.reader(node.node.id).query(sql), ctx.plan.link_id)
    return ()
