"""Stores the transitions of a walk in the console's database.

An intent is stored before its statement is sent, so that the database always knows at least what the servers know.
What follows from the servers, and a successor would observe again, may be stored with the next transition: that a
statement succeeded, and that a step is done. It is stored before the walk waits for anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
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
from backend.operations.runs.execution import fault_injection
from backend.operations.runs.execution.channel_records import PolledNodes, Write, record_intent, record_move, records_of
from backend.operations.runs.execution.step_spans import StepSpans
from backend.operations.runs.execution.step_watch import StepWatch
from backend.operations.runs.execution.store import OpenStatement, RunStore
from backend.operations.runs.execution.verification import verification_of
from backend.operations.runs.masking import masked
from backend.operations.runs.models import Run, RunState, StatementState, StepState

NO_EFFECT = "no effect: observed on the server"


def _may_wait(transition: Transition) -> bool:
    """Whether a successor that does not know it would observe it on the servers, and nothing is lost.

    Steps whose statements are sent at once are stored as begun, with their intents, by the last of these.
    """
    match transition:
        case StepStarted() | Intent():
            return transition.is_followed
        case Outcome():
            return transition.state == "ok"
    return isinstance(transition, StepDone)


class TransitionRecorder:
    """Implements the core's recorder. Records one worker's transitions of one run."""

    def __init__(self, store: RunStore, run: Run, plan: CorePlan, nodes: PolledNodes) -> None:
        self._store, self._run, self._plan, self._nodes = store, run, plan, nodes
        self._statement_ids: dict[int, int] = {}
        self._intents: list[Intent] = []
        self._writes: list[Write] = []
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

    def defer(self, write: Write) -> None:
        """Store it with what is noted: before the next statement is sent, and before the walk waits for anything."""
        self._writes.append(write)

    def pass_point_of_no_return(self) -> bool:
        """Pass it in one transaction with what was noted; False if an abort was granted first."""
        passed: list[bool] = []
        self._writes.append(lambda: passed.append(self._store.pass_point_of_no_return()))
        self.flush()
        return passed[-1]

    def _prepare(self, transition: Transition) -> None:
        match transition:
            case StepStarted(step, _):
                self._spans.started(step)
                self._writes.append(partial(self._store.step_started, step.index, noted_s=time.monotonic()))
                self._passed.append(("step-start", step.index))
            case Intent():
                self._note_intent(transition)
            case Outcome():
                self._note_outcome(transition)
            case StepDone(step, sentence, facts, observed):
                self._writes.append(partial(self._resolve_statements, step, lambda _: True))
                fault_injection.reach("step-end", step.index)
                spent = self._note_records(step, is_done=True)
                done = partial(self._store.step_finished, step.index, outcome=sentence, facts=facts, time_spent=spent)
                self._writes.append(partial(done, observed_after_crash=observed, noted_s=time.monotonic()))
                self._spans.ended(step, StepState.SUCCEEDED)
            case _:
                self.flush()
                self._store_last(transition)

    def _store_last(self, transition: Transition) -> None:
        match transition:
            case StepFailed(step, sentence, facts):
                spent = self._note_records(step, is_done=False)
                failed = partial(self._store.step_failed, step.index, outcome=sentence, facts=facts, time_spent=spent)
                self._writes.append(failed)
                self.flush()
                self._spans.ended(step, StepState.FAILED)
            case StepUndone(step, sentence):
                self._resolve_statements(step, lambda left: took_effect_by_undone(step, left.sql))
                self._store.step_finished(step.index, outcome=sentence, state=StepState.UNDONE)
                self._spans.ended(step, StepState.UNDONE)
            case UndoStarted(reason, is_abort):
                self._store.remember({"undoing": {"reason": reason, "is_abort": is_abort}})
            case Ended():
                self._record_end(transition)

    def _note_records(self, step: Step, *, is_done: bool) -> Mapping[str, float]:
        """Note what the step left on its node, which is read there again; where the time since the last step went."""
        self._watch.lap("database_s")
        self._writes += records_of(self._run, self._plan, step, self._nodes, is_done=is_done)
        self._watch.lap("servers_s")
        return self._watch.take()

    def _note_intent(self, intent: Intent) -> None:
        """Store the intents of all statements that are sent next, and what was noted before, in one transaction."""
        fault_injection.reach("before-intent", intent.step.index)
        self._writes.append(partial(self._store_intent, intent))
        if not intent.is_undo:
            self._writes.append(partial(record_intent, self._run, intent.step))
        self._intents.append(intent)
        if intent.is_followed:
            return
        self.flush()
        intents, self._intents = self._intents, []
        for one in intents:
            fault_injection.reach("after-intent", one.step.index)
        self._store.check()

    def _store_intent(self, intent: Intent) -> None:
        step = intent.step
        following = SentStatement(masked(intent.sql), intent.state_before)
        self._resolve_statements(
            step, lambda left: took_effect_by_next(step, left.sent, following, is_undo=intent.is_undo)
        )
        self._statement_ids[step.index] = self._store.intent(
            step.index,
            node_id=step.node_id or "",
            node=step.node or "",
            sql=intent.sql,
            connection_id=intent.connection_id,
            state_before=intent.state_before,
        )

    def _note_outcome(self, outcome: Outcome) -> None:
        fault_injection.reach("after-sql", outcome.step.index)
        stored = partial(self._store.outcome, self._statement_ids[outcome.step.index], StatementState(outcome.state))
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
            cleaning = record_move(self._run, self._plan, self._nodes)
            verification = verification_of(self._plan, self._store.steps(), cleaning)
        self._store.run_finished(state, outcome=end.sentence, next_action=end.next_action, verification=verification)
