"""Walks a plan up to its first write, with the same steps as a run, and changes nothing.

Invariant: no changing statement can be sent. Steps get sessions that cannot write and a console that stores nothing. A
step that uses either to change something ends the walk there, which is its intended end. After that, every node that
would be sent a statement is queried in a session of the account that would send it: is it the planned server?
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from backend.core.facts.server_identity import identity_mismatch
from backend.core.plan import Plan, Step
from backend.core.ports import Clock, NodeError
from backend.core.rehearsal.read_only import BudgetClock, FirstWriteError, ReadOnlyConsole, ReadOnlyGateway
from backend.core.steps.base import Effect, StepContext
from backend.core.steps.registry import STEP_KINDS

BUDGET_S = 30.0
"""How long a whole walk may wait for servers."""
SESSION = "session"
"""The code of the check that opened a session on a node to be sent a statement."""


@dataclass(frozen=True, slots=True)
class RehearsedCheck:
    """One check of a rehearsal: its title, whether it passed, a sentence, and how long it took."""

    check: str
    is_ok: bool
    sentence: str
    ms: float
    code: str = ""
    is_first_write: bool = False


def dry_run(ctx: StepContext, *, budget_s: float = BUDGET_S) -> Iterator[RehearsedCheck]:
    """The reading steps before the first write, an observation of it, then a session on every node to be changed."""
    read_only_ctx = replace(
        ctx,
        gateway=ReadOnlyGateway(ctx.gateway),
        console=ReadOnlyConsole(),
        clock=BudgetClock(ctx.clock, budget_s),
    )
    yield from _read(read_only_ctx)
    for node_id, step in _first_on_each_node(ctx.plan).items():
        yield _session(read_only_ctx, node_id, step.node or node_id)


def _read(ctx: StepContext) -> Iterator[RehearsedCheck]:
    for step in ctx.plan.steps:
        began = ctx.clock.monotonic_s()
        try:
            is_ok, sentence = _try(ctx, step)
        except FirstWriteError as end:
            yield _part(ctx, step, began, sentence=f"{end}: the rehearsal ends here")
            return
        except Exception as error:  # noqa: BLE001 - whatever a step raises would stop the run too
            yield _part(ctx, step, began, is_ok=False, sentence=f"{type(error).__name__}: {error}")
            return
        yield _part(ctx, step, began, is_ok=is_ok, sentence=sentence)
        if not is_ok or step.sql:
            return


def _try(ctx: StepContext, step: Step) -> tuple[bool, str]:
    """A reading step in full; of a step that writes, waits or calls a webhook only the observation."""
    kind = STEP_KINDS[step.code]
    seen = kind.look(ctx, step)
    if seen.effect in (Effect.FOREIGN, Effect.UNSEEN):
        return False, seen.sentence
    if step.sql:
        return True, f"{seen.sentence}; a run would send its first statement here"
    if "limit_s" in step.params:
        return True, f"a run waits here up to {step.params['limit_s']} s; a rehearsal does not wait"
    proof = kind.prove(ctx, step)
    ctx.results[step.index] = proof.facts
    return proof.is_ok, proof.sentence


def _part(ctx: StepContext, step: Step, began: float, *, is_ok: bool = True, sentence: str) -> RehearsedCheck:
    return RehearsedCheck(
        step.title, is_ok, sentence, _since(ctx.clock, began), step.code, is_first_write=bool(step.sql)
    )


def _first_on_each_node(plan: Plan) -> dict[str, Step]:
    found: dict[str, Step] = {}
    for step in plan.steps:
        if step.sql and step.node_id is not None:
            found.setdefault(step.node_id, step)
    return found


def _session(ctx: StepContext, node_id: str, name: str) -> RehearsedCheck:
    """Open a session of the changing account, read the server's identity, close it."""
    began = ctx.clock.monotonic_s()
    try:
        writer = ctx.gateway.writer(node_id)
        try:
            identity = writer.identity()
        finally:
            writer.close()
    except NodeError as error:
        is_ok, sentence = False, str(error)
    else:
        another = identity_mismatch(ctx.plan.fingerprint, name, identity)
        is_ok, sentence = another is None, another or f"reached server_id {identity['server_id']}"
    what = f"Open a session on {name} with the operator account"
    return RehearsedCheck(what, is_ok, sentence, _since(ctx.clock, began), SESSION)


def _since(clock: Clock, began: float) -> float:
    return round(min((clock.monotonic_s() - began) * 1000, 1e6), 1)


def estimate_s(
    steps: Sequence[Step], past: Mapping[str, Sequence[float]], parts: Sequence[RehearsedCheck]
) -> float | None:
    """How long a run would take, in seconds; None where there is no step, or no figure for any.

    Each step counts as in earlier runs (`past`, by code), else as rehearsed. A statement with neither counts as three
    of the rehearsed sessions: open one, observe before it, observe after it.
    """
    rehearsed = {part.code: part.ms / 1000 for part in parts if part.code and not part.is_first_write}
    sessions = [part.ms / 1000 for part in parts if part.code == SESSION]
    statement_s = 3 * median(sessions) if sessions else None

    def of(step: Step) -> float | None:
        if past.get(step.code):
            return median(past[step.code])
        return rehearsed.get(step.code, statement_s if step.sql else None)

    found = [seconds for seconds in map(of, steps) if seconds is not None]
    return round(sum(found), 2) if found else None
