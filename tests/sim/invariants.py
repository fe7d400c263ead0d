"""Invariants of the whole, looked at after every step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from backend.core.checks.run import run_checks
from backend.core.findings import is_refused
from backend.core.plan import PLAN_LIFETIME_S, Plan
from backend.core.plans.failover import FAILOVER_CHECKS
from backend.core.plans.relocate import RELOCATE_CHECKS
from backend.core.topology import NodeFacts
from tests.fakes.cluster import FakeCluster
from tests.fakes.plans import context_of
from tests.sim.run import FINAL
from tests.sim.snapshot import snapshot

if TYPE_CHECKING:
    from tests.sim.console import Bench
    from tests.sim.run import SimRun

Check = Callable[["Bench"], Iterator[str]]


SLIP = re.compile(r"(Assertion|Attribute|Key|Type|Index|Value|Runtime|UnboundLocal|Name)Error: ")


def i01_one_unfinished_run(bench: Bench) -> Iterator[str]:
    """At most one unfinished run on the link."""
    if sum(not run.is_final for run in bench.runs) > 1:
        yield f"I1: {[run.id for run in bench.runs if not run.is_final]} are all unfinished"


def i09_no_abort_past_return(bench: Bench) -> Iterator[str]:
    """An abort is granted or the point of no return is passed, never both."""
    for run in bench.runs:
        if run.memory.is_abort_requested and run.memory.is_past_return:
            yield f"I9: {run.id} was granted an abort and passed its point of no return"


def i18_nothing_lost(bench: Bench) -> Iterator[str]:
    """What arrived is the beginning of what was written, without a hole, in order."""
    for side in (bench.world.a, bench.world.b):
        yield from _holes(bench, side)


def _holes(bench: Bench, side: FakeCluster) -> Iterator[str]:
    ledger = bench.ledger
    got = [uid for uid in ledger.received(side) if uid not in ledger.resolved]
    thrown_away = bench.world.skipped - set(got)
    sent = [uid for uid in ledger.written(side) if uid not in thrown_away]
    if sent[: len(got)] != got:
        lost = [uid for uid in sent[: len(got)] if uid not in set(got)]
        yield f"I18: of {side.name} lost {lost}, order kept: {got == sorted(got)}"


def i18_nothing_settled_arrives(bench: Bench) -> Iterator[str]:
    """What was stated lost, undone or replayed does not come over later, but by a channel that another operator ran."""
    for side in (bench.world.a, bench.world.b):
        late = set(bench.ledger.received(side)) & bench.ledger.resolved - set(bench.world.by_foreign)
        if late:
            yield f"I18: of {side.name} came over although dealt with: {sorted(late)}"


def i18_nothing_doubled(bench: Bench) -> Iterator[str]:
    """Nothing is applied twice, but by a channel that another operator ran."""
    for side in (bench.world.a, bench.world.b):
        doubled = [uid for uid in side.doubled if uid not in bench.world.by_foreign]
        if doubled:
            yield f"I18: doubled on {side.name}: {doubled}"


def i19_one_side_takes_writes(bench: Bench) -> Iterator[str]:
    """At no instant would both sides take a write, but for nodes that another operator opened."""
    if bench.both_open:
        yield f"I19: {bench.both_open[0]}"


def i22_ends_are_named(bench: Bench) -> Iterator[str]:
    """A run that stopped says why, and what to do next."""
    for run in bench.runs:
        if run.state == "needs_operator" and not run.next_action:
            yield f"I22: {run.id} needs an operator and does not say for what"


def no_fault_of_ours(bench: Bench) -> Iterator[str]:
    """What ends a step is the world, never a slip of the core or of this model."""
    for run in bench.runs:
        yield from (f"a fault of ours: {sentence}" for sentence in run.memory.failures if SLIP.match(sentence))


def i24_ends_are_final(bench: Bench) -> Iterator[str]:
    """A state that is final never changes."""
    for run in bench.runs:
        first = next((i for i, state in enumerate(run.states) if state in FINAL), None)
        if first is not None and first != len(run.states) - 1:
            yield f"I24: {run.id} went {run.states}"


AFTER_EVERY_STEP: tuple[Check, ...] = (
    i01_one_unfinished_run,
    i09_no_abort_past_return,
    i18_nothing_lost,
    i18_nothing_doubled,
    i18_nothing_settled_arrives,
    i19_one_side_takes_writes,
    i22_ends_are_named,
    i24_ends_are_final,
    no_fault_of_ours,
)


def clean_spares_what_counts(bench: Bench, plan: Plan) -> list[str]:
    """Cleaning never takes what the last run set up, unless a side was lost or another operator pointed channels."""
    if plan.kind != "remove_stray_channel" or plan.is_refused or bench.world.divergence is not None:
        return []
    pointed = {at for at, _, what in bench.meddled if what in ("pointed elsewhere", "second channel")}
    cleaned = {step.node for step in plan.steps if step.code == "reset_channel"}
    return [
        f"a clean takes the channel that a run set up on {name}"
        for since, name in bench.placed.values()
        if name in cleaned and not any(at >= since for at in pointed)
    ]


def i08_restored(bench: Bench, run: SimRun) -> list[str]:
    """A run that ended before its point of no return left everything as it was."""
    end = run.memory.end
    if end is None or end.state not in ("failed", "aborted") or bench.meddled_since(run.before.tick):
        return []
    now = snapshot(bench.world)
    left_over = {
        (step.node, step.params["name"]) for step in run.plan.steps if step.code == "stop_channel" and not step.undo
    }
    was, are = ({k: v for k, v in s.channels.items() if k not in left_over} for s in (run.before, now))
    found = []
    if are != was:
        found.append(f"I8: {run.id} {end.state}, channels {was} are {are}")
    fenced = {str(step.node): "ON" for step in run.plan.steps if step.code == "fence" and not step.undo}
    if {**now.read_only, **fenced} != {**run.before.read_only, **fenced}:
        found.append(f"I8: {run.id} {end.state}, read_only {run.before.read_only} is {now.read_only}")
    return found


def i10_recheck_saw_the_change(bench: Bench, run: SimRun) -> list[str]:
    """A recheck that passed found the nodes of the plan, and the link's channels (one from elsewhere is none)."""
    now, before = snapshot(bench.world), run.before
    if now.nodes != before.nodes:
        return [f"I10: the recheck of {run.id} passed, nodes {before.nodes} are {now.nodes}"]
    seen = {name for name, (reach, _) in now.nodes.items() if reach == "up"}
    ours = {node.ref.address for node in bench.world.nodes}
    sources = [
        {key: value[0] for key, value in s.channels.items() if key[0] in seen and value[0] in ours}
        for s in (now, before)
    ]
    is_clean = run.plan.kind == "remove_stray_channel"
    if sources[0] != sources[1] and not is_clean:
        return [f"I10: the recheck of {run.id} passed, channels {sources[1]} are {sources[0]}"]
    return []


def i10_fresh_plan(bench: Bench, run: SimRun) -> list[str]:
    """A plan that is too old sends nothing."""
    age_s = bench.now_s - run.plan.created_at_s
    return [f"I10: {run.id} begins to send {age_s:.0f} s after its plan"] if age_s > PLAN_LIFETIME_S else []


def i20_refused_until_reconciled(bench: Bench, kind: str, *, is_refused_plan: bool) -> list[str]:
    """While a side is invalidated only cleaning, its fence and reprotect are planned."""
    allowed = ("reprotect", "remove_stray_channel", "fence_returned_side")
    if bench.world.divergence is not None and kind not in allowed and not is_refused_plan:
        return [f"I20: a {kind} is planned although {bench.world.divergence.lost_cluster_id} is invalidated"]
    return []


def i14_i15_less_known_is_never_better(bench: Bench, name: str, fact: str) -> list[str]:
    """Taking a fact away never turns a refusal into a permission; an essential one refuses (I14, I15)."""
    ctx = context_of(bench.world)
    for checks in (RELOCATE_CHECKS, FAILOVER_CHECKS):
        whole = is_refused(run_checks(ctx, checks))
        link = ctx.link
        sides = [
            replace(side, nodes=tuple(_without(n, fact) if n.node.name == name else n for n in side.nodes))
            for side in (link.active, link.standby)
        ]
        poorer = replace(link, active=sides[0], standby=sides[1])
        moves = tuple(
            replace(m, source=poorer.node(m.source.node.id), replica=poorer.node(m.replica.node.id)) for m in ctx.moves
        )
        less = replace(ctx, link=poorer, moves=moves)
        if whole and not is_refused(run_checks(less, checks)):
            return [f"I15: without {fact} of {name} a refused plan is permitted"]
        is_needed = fact in ESSENTIAL and checks is RELOCATE_CHECKS and name in {n.node.name for n in less.pair}
        if is_needed and not is_refused(run_checks(less, checks)):
            return [f"I14: without {fact} of {name}, on which the plan stands, it is permitted"]
    return []


ESSENTIAL = ("wsrep", "channels", "version", "variables")
BLANKS = {"wsrep": None, "channels": None, "version": None, "variables": {}, "binlog": None, "clock_offset_s": None}


def _without(node: NodeFacts, fact: str) -> NodeFacts:
    return replace(node, **{fact: BLANKS[fact]}) if node.is_up else node  # type: ignore[arg-type]
