"""Stores the transitions of a walk in the console's database.

An intent is stored before its statement is sent, so that the database always knows at least what the servers know.
What follows from the servers, and a successor would observe again, may be stored with the next transition: that a
statement succeeded, and that a step is done. It is stored before the walk waits for anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.core.ports import Gateway
from backend.core.runner import (
    Ended,
    Intent,
    Outcome,
    StepDone,
    StepFailed,
    StepStarted,
    StepUndone,
    Transition,
    UndoStarted,
)
from backend.core.runner.statement_outcome import SentStatement, took_effect_by_next, took_effect_by_undone
from backend.runs.execution import fault_injection
from backend.runs.execution.channel_records import record_intent, record_move, record_step
from backend.runs.execution.step_spans import StepSpans
from backend.runs.execution.step_watch import StepWatch
from backend.runs.execution.store import OpenStatement, RunStore
from backend.runs.execution.verification import verification_of
from backend.runs.masking import masked
from backend.runs.models import Run, RunState, StatementState, StepState

NO_EFFECT = "no effect: observed on the server"


def _may_wait(transition: Transition) -> bool:
    """Whether a successor that does not know it would observe it on the servers, and nothing is lost."""
    return isinstance(transition, StepDone) or (isinstance(transition, Outcome) and transition.state == "ok")


class TransitionRecorder:
    """Implements the core's recorder. Records one worker's transitions of one run."""

    def __init__(self, store: RunStore, run: Run, plan: CorePlan, gateway: Gateway) -> None:
        self._store, self._run, self._plan, self._gateway = store, run, plan, gateway
        self._statement_id = 0
        self._writes: list[Callable[[], object]] = []
        self._passed: list[tuple[str, int]] = []
        self._watch = StepWatch()
        self._spans = StepSpans()

    def record(self, transition: Transition) -> None:
        """Store one transition; the walk continues only after this returns."""
        self.note(transition)
        self.flush()

    def note(self, transition: Transition) -> None:
        """As `record`, but what a successor would observe again is stored with the next transition."""
        self._watch.lap("servers_s")
        self._prepare(transition)
        if not _may_wait(transition):
            self.flush()
        self._watch.lap("database_s")

    def flush(self) -> None:
        """Store what was noted, in one transaction."""
        writes, self._writes = self._writes, []
        if writes:
            self._watch.lap("servers_s")
            self._store.together(writes)
            self._watch.lap("database_s")
        passed, self._passed = self._passed, []
        for boundary, index in passed:
            fault_injection.reach(boundary, index)

    def _prepare(self, transition: Transition) -> None:
        match transition:
            case StepStarted(step):
                self._spans.started(step)
                self._writes.append(partial(self._store.step_started, step.index))
                self._passed.append(("step-start", step.index))
            case Intent():
                self._record_intent(transition)
            case Outcome():
                self._note_outcome(transition)
            case StepDone(step, sentence, facts, observed):
                self._writes.append(partial(self._resolve_statements, step, lambda _: True))
                fault_injection.reach("step-end", step.index)
                spent = self._record_step(step, is_done=True)
                done = partial(self._store.step_finished, step.index, outcome=sentence, facts=facts, time_spent=spent)
                self._writes.append(partial(done, observed_after_crash=observed))
                self._spans.ended(StepState.SUCCEEDED)
            case _:
                self.flush()
                self._store_last(transition)

    def _store_last(self, transition: Transition) -> None:
        match transition:
            case StepFailed(step, sentence, facts):
                spent = self._record_step(step, is_done=False)
                self._store.step_failed(step.index, outcome=sentence, facts=facts, time_spent=spent)
                self._spans.ended(StepState.FAILED)
            case StepUndone(step, sentence):
                self._resolve_statements(step, lambda left: took_effect_by_undone(step, left.sql))
                self._store.step_finished(step.index, outcome=sentence, state=StepState.UNDONE)
                self._spans.ended(StepState.UNDONE)
            case UndoStarted(reason, is_abort):
                self._store.remember({"undoing": {"reason": reason, "is_abort": is_abort}})
            case Ended():
                self._record_end(transition)

    def _record_step(self, step: Step, *, is_done: bool) -> Mapping[str, float]:
        """Store what the step left on its node, which is read there again; where the time since the last step went."""
        self._watch.lap("database_s")
        record_step(self._run, self._plan, step, self._gateway, is_done=is_done)
        self._watch.lap("servers_s")
        return self._watch.take()

    def _record_intent(self, intent: Intent) -> None:
        self.flush()
        step = intent.step
        following = SentStatement(masked(intent.sql), intent.state_before)
        self._resolve_statements(
            step, lambda left: took_effect_by_next(step, left.sent, following, is_undo=intent.is_undo)
        )
        fault_injection.reach("before-intent", step.index)
        self._statement_id = self._store.intent(
            step.index,
            node_id=step.node_id or "",
            node=step.node or "",
            sql=intent.sql,
            connection_id=intent.connection_id,
            state_before=intent.state_before,
        )
        if not intent.is_undo:
            record_intent(self._run, step)
        fault_injection.reach("after-intent", step.index)
        self._store.check()

    def _note_outcome(self, outcome: Outcome) -> None:
        fault_injection.reach("after-sql", outcome.step.index)
        stored = partial(self._store.outcome, self._statement_id, StatementState(outcome.state))
        self._writes.append(
            partial(stored, warnings=outcome.warnings, error=outcome.error, duration_ms=outcome.duration_ms)
        )
        self._passed.append(("after-outcome", outcome.step.index))

    def _resolve_statements(self, step: Step, took_effect: Callable[[OpenStatement], bool | None]) -> None:
        """Store the outcome of the step's earlier statements, now that the server was observed."""
        for left in self._store.open_statements(step.index):
            did = took_effect(left)
            if did:
                self._store.outcome(left.id, StatementState.OBSERVED)
            elif did is not None:
                self._store.outcome(left.id, StatementState.FAILED, error=NO_EFFECT)

    def _record_end(self, end: Ended) -> None:
        state = RunState(end.state)
        verification = None
        if state is RunState.SUCCEEDED:
            cleaning = record_move(self._run, self._plan, self._gateway)
            verification = verification_of(self._plan, self._store.steps(), cleaning)
        self._store.run_finished(state, outcome=end.sentence, next_action=end.next_action, verification=verification)
