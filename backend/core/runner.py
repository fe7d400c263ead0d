"""Walks a plan and yields what happened; the caller stores each transition before the walk goes on.

Invariant: no changing statement leaves before its intent was stored (the caller has stored it
once it resumes the generator), and after a crash the walk begins with looking, so that a
statement whose deed shows on the server is never sent again. Before the point of no return a
failure or an abort takes back what was done, last first; after it the walk stops where it
is and names the way on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.core.plan import Plan, Step
from backend.core.ports import NodeError
from backend.core.steps.base import STATEMENT_LIMIT_S, Deed, Seen, StepContext, Undoable
from backend.core.steps.kinds import KINDS
from backend.core.steps.many import ManyKind


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step is entered, for the first time or again."""

    step: Step


@dataclass(frozen=True, slots=True)
class Intent:
    """About to send `sql` (secrets still as marks) over this connection; store it, then resume."""

    step: Step
    sql: str
    connection_id: int
    state_before: Mapping[str, Any]
    is_undo: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the last intent: ok, failed or indeterminate."""

    step: Step
    state: str
    warnings: tuple[str, ...] = ()
    error: str = ""
    duration_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class StepDone:
    """A step's proof holds."""

    step: Step
    sentence: str
    facts: Mapping[str, Any]
    observed_after_crash: bool = False


@dataclass(frozen=True, slots=True)
class StepFailed:
    """A step's precondition, statement or proof failed; the reason is for the operator."""

    step: Step
    sentence: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StepUndone:
    """A step's deed was taken back."""

    step: Step
    sentence: str


@dataclass(frozen=True, slots=True)
class Undoing:
    """The walk turns round: from now on steps are taken back; store it, a successor goes on with it."""

    reason: str
    is_abort: bool


@dataclass(frozen=True, slots=True)
class Ended:
    """The walk is over: succeeded, failed, aborted or needs_operator."""

    state: str
    sentence: str
    next_action: str = ""


Transition = StepStarted | Intent | Outcome | StepDone | StepFailed | StepUndone | Undoing | Ended


@dataclass(slots=True)
class Progress:
    """Where a run stands, as stored: finished steps, intents made, and whether it is turning back.

    `is_return_closed`: an earlier worker was granted the point of no return.
    """

    done: set[int] = field(default_factory=set)
    intended: set[int] = field(default_factory=set)
    undone: set[int] = field(default_factory=set)
    undo_reason: str | None = None
    is_abort: bool = False
    is_return_closed: bool = False

    def is_past_return(self, plan: Plan) -> bool:
        """Whether the point of no return was granted, or a statement behind it intended."""
        if self.is_return_closed:
            return True
        first = next((s.index for s in plan.steps if s.point_of_no_return), None)
        return first is not None and any(index >= first for index in self.intended)


class HaltError(Exception):
    """The walk cannot go on at this step; the sentence says why."""

    def __init__(self, sentence: str, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.facts = facts or {}


class AbortWonError(Exception):
    """An abort was granted at the very moment the run reached its point of no return."""


Walk = Generator[Transition, None, None]

PROVEN_AGAIN = frozenset({"locate", "prove_fence", "same_end", "diverge", "no_orphans"})
"""Steps that rest on the servers of the moment: while there is a way back, a successor proves them anew."""


class Runner:
    """One walk over one plan; built anew after every interruption from what was stored.

    Positions proven before an interruption are proven again while there is a way back.
    """

    def __init__(
        self,
        ctx: StepContext,
        progress: Progress,
        *,
        secrets: Callable[[Step], Mapping[str, str]],
        is_abort_requested: Callable[[], bool],
        pass_return: Callable[[], bool],
    ) -> None:
        self._ctx = ctx
        self._plan = ctx.plan
        self._progress = progress
        if not progress.is_past_return(ctx.plan):
            progress.done -= {s.index for s in ctx.plan.steps if s.code in PROVEN_AGAIN}
        self._secrets = secrets
        self._is_abort_requested = is_abort_requested
        self._pass_return = pass_return

    def walk(self) -> Walk:
        """Yield transitions until Ended; what a step raises becomes its failure."""
        if self._progress.undo_reason is not None:
            yield from self._turn_back(self._progress.undo_reason, is_abort=self._progress.is_abort)
            return
        for step in self._plan.steps:
            if step.index in self._progress.done:
                continue
            if not self._progress.is_past_return(self._plan) and self._is_abort_requested():
                yield Undoing("Aborted by a person.", is_abort=True)
                yield from self._turn_back("Aborted by a person.", is_abort=True)
                return
            yield StepStarted(step)
            try:
                yield from self._do(step)
            except AbortWonError:
                yield Undoing("Aborted by a person.", is_abort=True)
                yield from self._turn_back("Aborted by a person.", is_abort=True)
                return
            except Exception as error:  # noqa: BLE001 - any fault inside a step is its failure, never a success
                sentence, facts = _reason(error)
                yield StepFailed(step, sentence, facts)
                yield from self._give_up(step, sentence)
                return
        yield Ended("succeeded", self._plan.summary + ": done and verified.")

    def _do(self, step: Step) -> Walk:
        kind = KINDS[step.code]
        seen = kind.look(self._ctx, step)
        observed = False
        for _ in range(3):
            if seen.deed is not Deed.TO_DO:
                break
            settled = yield from self._send(step, seen)
            if settled:
                break
            seen = kind.look(self._ctx, step)
            observed = seen.deed is Deed.DONE
        if seen.deed is Deed.FOREIGN:
            raise HaltError(f"{seen.sentence}. Somebody or something else changed it.", seen.state)
        if seen.deed is Deed.DONE and step.index in self._progress.intended:
            observed = True
        proof = kind.prove(self._ctx, step)
        if not proof.is_ok:
            raise HaltError(proof.sentence, proof.facts)
        self._progress.done.add(step.index)
        self._ctx.results[step.index] = proof.facts
        yield StepDone(step, proof.sentence, proof.facts, observed_after_crash=observed)

    def _send(self, step: Step, seen: Seen) -> Generator[Transition, None, bool]:
        """Send the step's statement, or its transactions, if it has any. False: the outcome is unknown, look again."""
        kind = KINDS[step.code]
        if isinstance(kind, ManyKind):
            return (yield from self._send_each(step, kind))
        sql = KINDS[step.code].statement(self._ctx, step)
        if sql is None:
            self._close_way_back(step)
            return True
        state = yield from self._execute(step, sql, seen.state, is_undo=False)
        return state != "indeterminate"

    def _send_each(self, step: Step, kind: ManyKind) -> Generator[Transition, None, bool]:
        """One transaction after the other over one session, each with its intent and outcome."""
        assert step.node_id is not None
        writer = self._ctx.gateway.writer(step.node_id)
        try:
            identity = writer.identity()
            self._check_identity(step, identity)
            connection_id = int(identity["connection_id"])
            for work in kind.transactions(self._ctx, step):
                self._close_way_back(step)
                self._progress.intended.add(step.index)
                yield Intent(step, work.shown, connection_id, work.before)
                started = self._ctx.clock.monotonic_s()
                try:
                    writer.apply_transaction(work.statements, marker=work.marker, timeout_s=STATEMENT_LIMIT_S)
                except NodeError as error:
                    state = "indeterminate" if error.indeterminate else "failed"
                    yield Outcome(step, state, error=str(error), duration_ms=self._since(started))
                    if state == "failed":
                        raise
                    self._end_session(step, connection_id)
                    return False
                yield Outcome(step, "ok", duration_ms=self._since(started))
        finally:
            writer.close()
        return True

    def _execute(
        self, step: Step, sql: str, before: Mapping[str, Any], *, is_undo: bool
    ) -> Generator[Transition, None, str]:
        assert step.node_id is not None
        dialect = self._ctx.dialect_of(self._ctx.facts_of(step))
        writer = self._ctx.gateway.writer(step.node_id)
        try:
            identity = writer.identity()
            self._check_identity(step, identity)
            connection_id = int(identity["connection_id"])
            if not is_undo:
                self._close_way_back(step)
                self._progress.intended.add(step.index)
            yield Intent(step, sql, connection_id, before, is_undo)
            started = self._ctx.clock.monotonic_s()
            try:
                warnings = writer.execute(sql, secrets=self._secrets(step), timeout_s=STATEMENT_LIMIT_S)
            except NodeError as error:
                state = "indeterminate" if error.indeterminate else "failed"
                yield Outcome(step, state, error=str(error), duration_ms=self._since(started))
                if state == "failed":
                    raise
                self._end_session(step, connection_id)
                return state
            unexpected = [w for w in warnings if not dialect.is_expected_note(w)]
            yield Outcome(step, "ok", tuple(warnings), duration_ms=self._since(started))
            if unexpected:
                raise HaltError(f"the server warned: {unexpected[0]}", {"warnings": unexpected})
            return "ok"
        finally:
            writer.close()

    def _end_session(self, step: Step, connection_id: int) -> None:
        """A statement of unknown outcome may still run: end its session before looking at all."""
        assert step.node_id is not None
        writer = self._ctx.gateway.writer(step.node_id)
        try:
            if not writer.kill_session(connection_id):
                raise HaltError(f"session {connection_id} on {step.node} does not end; its statement may still run")
        finally:
            writer.close()

    def _close_way_back(self, step: Step) -> None:
        """At the point of no return an abort and the run race once; one of them wins."""
        first = next((s.index for s in self._plan.steps if s.point_of_no_return), None)
        reached = first is not None and step.index >= first
        if not reached or self._progress.is_past_return(self._plan):
            return
        if not self._pass_return():
            raise AbortWonError
        self._progress.is_return_closed = True

    def _since(self, started_s: float) -> float:
        return round((self._ctx.clock.monotonic_s() - started_s) * 1000, 1)

    def _check_identity(self, step: Step, identity: Mapping[str, str]) -> None:
        """The session reached the server the plan means, not another one behind the same address."""
        planned = self._plan.fingerprint.get(f"{step.node}.server_id")
        if planned is not None and str(planned) != identity["server_id"]:
            raise HaltError(
                f"the session reached server_id {identity['server_id']}, the plan means {step.node} with {planned}"
            )

    def _give_up(self, step: Step, sentence: str) -> Walk:
        if self._progress.is_past_return(self._plan):
            yield Ended(
                "needs_operator",
                f"Stopped at step {step.index + 1} ({step.title}): {sentence}",
                "The point of no return is passed: mend the cause and press Resume, which looks again "
                "and goes on from here; or make a new plan.",
            )
            return
        yield Undoing(sentence, is_abort=False)
        yield from self._turn_back(sentence, is_abort=False)

    def _turn_back(self, reason: str, *, is_abort: bool) -> Walk:
        """Take back every deed, last first: channels run again as they did, fences come down."""
        for step in reversed(self._plan.steps):
            kind = KINDS[step.code]
            if not isinstance(kind, Undoable) or step.index not in self._progress.intended:
                continue
            if step.index in self._progress.undone:
                continue
            try:
                yield from self._undo(kind, step)
            except Exception as error:  # noqa: BLE001 - a failed restoration is handed to a person
                yield Ended(
                    "needs_operator",
                    f"{reason} Restoring {step.node} failed: {_reason(error)[0]}",
                    f"Restore {step.node} by hand: {'; '.join(step.undo)}",
                )
                return
            self._progress.undone.add(step.index)
            yield StepUndone(step, f"{step.node}: {kind.undone}")
        state = "aborted" if is_abort else "failed"
        undone = " Everything is as it was." if self._progress.undone else " Nothing was changed."
        yield Ended(state, reason + undone, "Make a new plan when ready.")

    def _undo(self, kind: Undoable, step: Step) -> Walk:
        """Take back what this step did, and see it taken back; raises where it is not."""
        for _ in range(3):
            sql = kind.undo_statement(self._ctx, step)
            if sql is None:
                return
            yield from self._execute(step, sql, {}, is_undo=True)
        if kind.undo_statement(self._ctx, step) is not None:
            raise HaltError(f"what was done on {step.node} does not come undone")


def _reason(error: Exception) -> tuple[str, Mapping[str, Any]]:
    if isinstance(error, HaltError):
        return error.sentence, error.facts
    if isinstance(error, NodeError):
        return str(error), {}
    return f"{type(error).__name__}: {error}", {}
