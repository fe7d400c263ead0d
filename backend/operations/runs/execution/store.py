"""What a worker reads and writes of its run: the steps, their statements, the end."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from django.db.models import F
from django.db.models.functions import Coalesce, Now

from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.runner.statement_outcome import SentStatement
from backend.core.steps.registry import carries_rows
from backend.operations.runs.execution.claim import RunClaim
from backend.operations.runs.masking import ROWS_MASK, masked
from backend.operations.runs.models import SUPERSEDED_BY, Run, RunState, RunStep, Statement, StatementState, StepState


@dataclass(frozen=True, slots=True)
class OpenStatement:
    """A statement with an unknown outcome: observe its node, and never send it again without that."""

    id: int
    step_index: int
    epoch: int
    node_id: str
    sql: str
    connection_id: int | None
    state_before: Mapping[str, Any] | None

    @property
    def sent(self) -> SentStatement:
        """The statement as a value of the core."""
        return SentStatement(self.sql, self.state_before or {})


class _StepKey(NamedTuple):
    """What does not change of a stored step while a worker holds the run."""

    id: int
    code: str
    is_new: bool
    """No worker before this claim finished it."""


class RunStore(RunClaim):
    """Everything that the driver of one run reads and writes; `owner` must be unique to this driver."""

    @retry_on_rollback
    def together(self, writes: Sequence[Callable[[], object]]) -> None:
        """Make several writes of this store in one transaction; only those that may be repeated after a rollback."""
        with self.guard():
            for write in writes:
                write()

    # -- reading

    def steps(self) -> list[RunStep]:
        """All steps in order."""
        return list(RunStep.objects.filter(run_id=self.run_id))

    def indexes_with_statements(self) -> set[int]:
        """Indexes of the steps that have stored a statement."""
        return set(Statement.objects.filter(step__run_id=self.run_id).values_list("step__index", flat=True).distinct())

    def abort_requested(self) -> bool:
        """Whether an abort was requested (only granted before the point of no return)."""
        return Run.objects.filter(pk=self.run_id, abort_requested_at__isnull=False).exists()

    def open_statements(self, index: int | None = None) -> list[OpenStatement]:
        """Statements (of one step) that were to be sent and have no known outcome, oldest first."""
        if index is not None and not self._has_open(index):
            return []
        of_step = {} if index is None else {"step__index": index}
        return _unsettled(step__run_id=self.run_id, **of_step)

    def superseded_statements(self) -> list[OpenStatement]:
        """The same of the run that this one superseded: an operator stopped waiting for it, its server did not."""
        return _unsettled(**{f"step__run__facts__{SUPERSEDED_BY}": self._reported_row().plan_id})

    # -- steps

    def step_started(self, index: int, *, noted_s: float | None = None) -> None:
        """Start a new attempt at a step; `noted_s` is when, of the monotonic clock, where that was before now."""
        self._step(
            index,
            StepState.RUNNING,
            {
                "attempts": F("attempts") + 1,
                "started_at": Coalesce("started_at", self._moment(noted_s)),
                "ended_at": None,
            },
            run_changes={"cursor": index},
        )

    def step_finished(
        self,
        index: int,
        *,
        outcome: str,
        facts: Mapping[str, Any] | None = None,
        observed_after_crash: bool = False,
        state: StepState = StepState.SUCCEEDED,
        time_spent: Mapping[str, float] | None = None,
        noted_s: float | None = None,
    ) -> None:
        """Store that the step's proof holds (or that it was skipped or reverted); `noted_s` as of its start."""
        changes = _end(outcome, facts, time_spent) | {"ended_at": self._moment(noted_s)}
        if observed_after_crash:
            changes["observed_after_crash"] = True
        run_changes = {"lost_workers": 0} if self._is_further(index, state) else None
        self._step(index, state, changes, run_changes=run_changes, recorded={"outcome": outcome})

    def _is_further(self, index: int, state: StepState) -> bool:
        """Whether this state is progress of the run: later workers prove positions again."""
        return state is StepState.UNDONE or self._step_keys[index].is_new

    def step_failed(
        self,
        index: int,
        *,
        outcome: str,
        facts: Mapping[str, Any] | None = None,
        time_spent: Mapping[str, float] | None = None,
    ) -> None:
        """Store that the step did not reach its proof."""
        changes = _end(outcome, facts, time_spent)
        self._step(index, StepState.FAILED, changes, recorded={"outcome": outcome})

    @retry_on_rollback
    def pass_point_of_no_return(self) -> bool:
        """Pass the point of no return; False if an abort was granted first. Exactly one of the two wins."""
        with self.guard() as run:
            open_ = Run.objects.filter(pk=self.run_id, abort_requested_at=None)
            has_passed = bool(open_.update(point_of_no_return_passed=True))
            if has_passed:
                self._record("point_of_no_return", run, {"epoch": self.epoch})
        return has_passed

    # -- statements

    @retry_on_rollback
    def intent(
        self,
        index: int,
        *,
        node_id: str,
        node: str,
        sql: str,
        connection_id: int | None,
        state_before: Mapping[str, Any] | None = None,
    ) -> int:
        """Store a statement durably before it is sent. Returns its id."""
        shown, step = masked(sql), self._step_keys[index]
        with self.guard() as run:
            statement = Statement.objects.create(
                step_id=step.id,
                epoch=self.epoch,
                node_id=node_id,
                node=node,
                sql=shown,
                sql_digest=hashlib.sha256(sql.encode()).hexdigest(),
                connection_id=connection_id,
                state_before=None if state_before is None else dict(state_before),
                sent_at=Now(),
            )
            self._steps_of[statement.pk] = index
            self._step_event(run, index, StepState.RUNNING)
            recorded_sql = ROWS_MASK if carries_rows(step.code) else shown
            facts = {"statement": statement.pk, "node": node, "sql": recorded_sql, "connection_id": connection_id}
            self._record(
                "statement_intent",
                run,
                facts | {"sql_digest": statement.sql_digest, "epoch": self.epoch, "step": index},
            )
        return statement.pk

    @retry_on_rollback
    def outcome(
        self,
        statement_id: int,
        state: StatementState,
        *,
        warnings: Sequence[str] = (),
        error: str = "",
        duration_ms: float | None = None,
    ) -> None:
        """Store the outcome of a statement: ok, failed, indeterminate, or observed later.

        A batch of a long step is progress, too: workers that crash hours apart are not lost in a row.
        """
        index = self._steps_of[statement_id]
        came_further = state is StatementState.OK and carries_rows(self._step_keys[index].code)
        with self.guard(**({"lost_workers": 0} if came_further else {})) as run:
            Statement.objects.filter(pk=statement_id).update(
                state=state.value, error=error, warnings=list(warnings), duration_ms=duration_ms
            )
            if state is not StatementState.INDETERMINATE:
                self._settled.add(statement_id)
            self._step_event(run, index, StepState.RUNNING)
            facts = {"statement": statement_id, "state": state.value, "warnings": list(warnings)}
            self._record("statement_outcome", run, facts | {"error": error, "epoch": self.epoch})

    # -- the end

    @retry_on_rollback
    def run_finished(
        self,
        state: RunState,
        *,
        outcome: str,
        next_action: str = "",
        verification: Mapping[str, Any] | None = None,
    ) -> None:
        """End the run, or hand it to an operator (the link stays claimed by it)."""
        changes: dict[str, Any] = {
            "state": state.value,
            "outcome": outcome,
            "next_action": next_action,
            "owner": "",
            "lease_until": None,
            "lost_workers": 0,
            "authorization": "",
        }
        if state.is_final:
            changes |= {"unfinished_link": None, "ended_at": Now()}
        if verification is not None:
            changes["verification"] = dict(verification)
        with self.guard(**changes) as run:
            self._raise(run, state, outcome)
            removed = (verification or {}).get("removed_channels")
            facts = {"outcome": outcome, "next_action": next_action}
            self._record(state.value, run, {**facts, "removed_channels": removed} if removed else facts)

    @retry_on_rollback
    def remember(self, facts: Mapping[str, Any]) -> None:
        """Store the facts that later steps need (for example proven positions) with the run."""
        with self.guard() as run:
            Run.objects.filter(pk=self.run_id).update(facts={**run.facts, **facts})

    # -- private

    def _moment(self, noted_s: float | None) -> Any:
        """By the database's clock, which may be another than the worker's; now, where it was not noted before."""
        if noted_s is None:
            return Now()
        known, read_s = self._clock
        return known + timedelta(seconds=noted_s - read_s)

    @cached_property
    def _clock(self) -> tuple[datetime, float]:
        """The database's clock and the monotonic one, read once: what is noted in order is stored in order."""
        known = Run.objects.filter(pk=self.run_id).annotate(now=Now()).values_list("now", flat=True).get()
        return known, time.monotonic()

    @cached_property
    def _step_keys(self) -> Mapping[int, _StepKey]:
        """By index; the steps of a run are created with it, and only their progress changes."""
        rows = RunStep.objects.filter(run_id=self.run_id).values_list("index", "pk", "code", "outcome")
        return {index: _StepKey(pk, code, not outcome) for index, pk, code, outcome in rows}

    @cached_property
    def _steps_of(self) -> dict[int, int]:
        """The index of the step of each statement that had no outcome when this claim began, or was stored since."""
        return {statement.id: statement.step_index for statement in _unsettled(step__run_id=self.run_id)}

    @cached_property
    def _settled(self) -> set[int]:
        """Those of them that got an outcome since."""
        return set()

    def _has_open(self, index: int) -> bool:
        return any(one == index and pk not in self._settled for pk, one in self._steps_of.items())

    @retry_on_rollback
    def _step(
        self,
        index: int,
        state: StepState,
        changes: dict[str, Any],
        *,
        run_changes: Mapping[str, Any] | None = None,
        recorded: Mapping[str, Any] | None = None,
    ) -> None:
        with self.guard(**(run_changes or {})) as run:
            step = RunStep.objects.filter(run_id=self.run_id, index=index)
            if not step.update(state=state.value, **changes):
                raise LookupError(f"run {self.run_id} has no step {index}")
            self._step_event(run, index, state)
            facts = {"step": index, "code": self._step_keys[index].code, "epoch": self.epoch, **(recorded or {})}
            self._record(f"step_{state.value}", run, facts)

    def _step_event(self, run: Run, index: int, state: StepState) -> None:
        self.add_event(events.step_change(run_id=run.id, link_id=run.link_id, index=index, state=state.value))

    def _raise(self, run: Run, state: RunState, message: str) -> None:
        severity = {RunState.SUCCEEDED: "ok", RunState.ABORTED: "info"}.get(state, "blocker")
        events.raised(link_id=run.link_id, run_id=run.id, kind=f"run.{state.value}", severity=severity, message=message)


def _end(outcome: str, facts: Mapping[str, Any] | None, time_spent: Mapping[str, float] | None) -> dict[str, Any]:
    """The columns of a step that ended; where its time went stays as it is where it was not measured."""
    measured = {} if time_spent is None else {"time_spent": dict(time_spent)}
    return {"outcome": outcome, "facts": dict(facts or {}), "ended_at": Now(), **measured}


def _unsettled(**where: Any) -> list[OpenStatement]:
    unsettled = (StatementState.INTENDED.value, StatementState.INDETERMINATE.value)
    rows = Statement.objects.filter(state__in=unsettled, **where).select_related("step").order_by("pk")
    return [OpenStatement(r.pk, r.step.index, r.epoch, r.node_id, r.sql, r.connection_id, r.state_before) for r in rows]
