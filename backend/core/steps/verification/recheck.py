"""Reads all facts again and compares them with those of the plan; nothing is sent before they are equal."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from typing import Any, Final

from backend.core.checks.unknown_runs import ATTEST, unknown_run_probes, unknown_runs_message
from backend.core.facts.fingerprint import changed_facts, current_fingerprint
from backend.core.link_facts import LinkFacts
from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.ports import NodeError
from backend.core.probe import StoredProbe, parse_stored_probes, stored_probes_sql
from backend.core.steps.base import Effect, Observation, Proof, StepContext
from backend.core.topology import NodeFacts

RETRY_AFTER_S: Final = 1.0
"""A server that paused for one read, or a channel that just reconnected, is no changed fact: it is read twice."""


class Recheck:
    """Implements StepKind; reads only."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again."""
        return Observation(Effect.TO_DO, "read both sides")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The facts are equal, and the plan has not expired."""
        if ctx.clock.now_s() > ctx.expires_at_s:
            return Proof(False, "The plan expired before its first statement. Nothing was sent. Create a new plan.")
        link, found = _changed(ctx)
        if found:
            ctx.clock.sleep(RETRY_AFTER_S)
            link, found = _changed(ctx, is_patient=True)
        if found:
            first = found[0]
            return Proof(
                False,
                f"{pluralize(len(found), 'fact')} changed since the plan, first {first['fact']}: "
                f"{first['planned']} is now {first['now']}. Nothing was sent. Create a new plan.",
                {"changes": found},
            )
        unknown = _unknown_runs(ctx, link)
        if unknown:
            return Proof(
                False, f"{unknown_runs_message(unknown[-1])} Nothing was sent.", {"runs": [p.run_id for p in unknown]}
            )
        count = len(ctx.plan.fingerprint)
        return Proof(True, f"facts equal, 0 of {count} differ", {"compared": count})


def _changed(ctx: StepContext, *, is_patient: bool = False) -> tuple[LinkFacts, list[dict[str, Any]]]:
    """Both sides now, and what differs from the plan."""
    link = ctx.gateway.observe_link(is_patient=is_patient)
    return link, changed_facts(ctx.plan.fingerprint, current_fingerprint(ctx.plan.fingerprint, link))


def _unknown_runs(ctx: StepContext, link: LinkFacts) -> list[StoredProbe]:
    """Probes of runs that the console's database does not know; a plan that cannot be probed has said so."""
    if not ctx.plan.options.get("probe", True) or ctx.plan.options.get(ATTEST):
        return []
    sql = stored_probes_sql(ctx.plan.link_id)
    answered = (_first_answer(ctx, cluster.nodes, sql) for cluster in (link.active, link.standby))
    return unknown_run_probes(chain.from_iterable(answered), ctx.console.knows_run)


def _first_answer(ctx: StepContext, nodes: Iterable[NodeFacts], sql: str) -> tuple[StoredProbe, ...]:
    """A cluster's probes, from the first node that answers; none where no node does, as the plan has warned."""
    for node in nodes:
        if node.is_up:
            with suppress(NodeError):
                return parse_stored_probes(ctx.gateway.reader(node.node.id).query(sql), ctx.plan.link_id)
    return ()
