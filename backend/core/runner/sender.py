"""Sends one step's statement: identity checked, intent yielded before, outcome after; nothing is resent unobserved."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from backend.core.dialects.base import Dialect
from backend.core.dialects.known_defects import changes_channels, may_end_when_read
from backend.core.facts.semi_sync import ENABLED, why_commits_wait
from backend.core.facts.server_identity import identity_mismatch
from backend.core.plan import Step
from backend.core.ports import NodeError, NodeWriter, RowConflictError
from backend.core.runner.reconnect import end_session, retry_once
from backend.core.runner.sessions import KeptSessions, Opened
from backend.core.runner.together import Answer, Sending, Sent
from backend.core.runner.transitions import Intent, Outcome, Progress, StepStarted, Transition
from backend.core.steps.base import SCHEMA_LIMIT_S, STATEMENT_LIMIT_S, Observation, StepContext
from backend.core.steps.batch import Batch, BatchStepKind, BatchTransaction
from backend.core.steps.registry import STEP_KINDS

POLL_ENDS_S = 0.5
"""A poll is sent within some 50 ms of the look at the statements, and its answers take milliseconds."""


class HaltError(Exception):
    """The walk cannot continue at this step; the sentence says why."""

    def __init__(self, sentence: str, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.facts = facts or {}


class AbortGrantedError(Exception):
    """An abort was granted at the very moment the run reached its point of no return."""


class Sender:
    """The only code that sends a run's statements.

    `pass_return` is called once, at the point of no return; where an abort was granted first it returns False and
    nothing is sent.
    """

    def __init__(
        self,
        ctx: StepContext,
        progress: Progress,
        *,
        secrets: Callable[[Step], Mapping[str, str]],
        pass_return: Callable[[], bool],
    ) -> None:
        self._ctx = ctx
        self._plan = ctx.plan
        self._progress = progress
        self._secrets = secrets
        self._pass_return = pass_return
        self._sessions = KeptSessions(ctx.gateway)

    def open_ahead(self) -> None:
        """Open the sessions of all statements that are still to be sent, before a first of them pauses writes."""
        done = self._progress.done
        self._sessions.open_ahead({s.node_id for s in self._plan.steps if s.sql and s.node_id and s.index not in done})

    def close(self) -> None:
        """End the sessions that were kept."""
        self._sessions.close()

    def send(self, step: Step, seen: Observation) -> Generator[Transition, None, bool]:
        """Send the step's statement or transactions, if it has any. False: the outcome is unknown, observe again."""
        kind = STEP_KINDS[step.code]
        if isinstance(kind, BatchStepKind):
            return (yield from self._send_each(step, kind))
        sql = STEP_KINDS[step.code].statement(self._ctx, step)
        if sql is None:
            self._pass_point_of_no_return(step)
            return True
        state = yield from self.execute(step, sql, seen.state, is_undo=False)
        return state != "indeterminate"

    def prepare(self, steps: Sequence[Step], seen: Sequence[Observation]) -> tuple[Sending, ...]:
        """Alive sessions on the planned servers, for one statement each; none where one of them is missing."""
        takes = [partial(self._taken, str(step.node_id)) for step in steps]
        taken = self._ctx.gateway.at_once(takes)
        for session in taken:
            if session is not None:
                self._sessions.keep(session[0].node.id, session[0])
        sendings = []
        for step, before, session in zip(steps, seen, taken, strict=True):
            sql = STEP_KINDS[step.code].statement(self._ctx, step)
            if session is None or sql is None or identity_mismatch(self._plan.fingerprint, str(step.node), session[1]):
                return ()
            sendings.append(Sending(step, sql, before.state, session[0], int(session[1]["connection_id"])))
        return tuple(sendings)

    def _taken(self, node_id: str) -> Opened | None:
        try:
            return self._sessions.take(node_id)
        except NodeError:
            return None  # the step's own statement says why

    def send_together(self, sendings: Sequence[Sending]) -> Generator[Transition, None, dict[int, Sent]]:
        """Send one statement of each step at once, all intents before the first; what became of each, by its step."""
        for sending in sendings:
            yield StepStarted(sending.step, is_followed=True)
        try:
            for sending in sendings:
                self._begin(sending.step)
        except HaltError as error:
            return {sending.step.index: error for sending in sendings}
        for sending in sendings:
            is_last = sending is sendings[-1]
            yield Intent(sending.step, sending.sql, sending.connection_id, sending.before, is_followed=not is_last)
        calls = [partial(one.send, self._secrets(one.step), self._ctx.clock) for one in sendings]
        answers = list(zip(sendings, self._ctx.gateway.at_once(calls), strict=True))
        for sending, answer in answers:
            yield Outcome(sending.step, answer.state, answer.warnings, answer.text, answer.duration_ms)
        return {sending.step.index: self._settled(sending, answer) for sending, answer in answers}

    def _settled(self, sending: Sending, answer: Answer) -> Sent:
        """As of a statement that was sent alone: its session is kept, or ended and the node observed again."""
        if answer.error is not None:
            self._sessions.drop(sending.writer)
        try:
            if answer.state == "indeterminate":
                self._end_session(sending.step, sending.connection_id)
                return False
            self._require_expected(sending.step, answer.warnings)
        except (NodeError, HaltError) as error:
            return error
        return answer.error or True

    def _send_each(self, step: Step, kind: BatchStepKind) -> Generator[Transition, None, bool]:
        """One transaction after the other over one session; an intent and an outcome for each batch of them."""
        with self._session(step) as (writer, connection_id):
            for batch in kind.batches(self._ctx, step):
                self._begin(step)
                yield Intent(step, batch.display_sql, connection_id, batch.state_before)

                def apply(batch: Batch = batch) -> Sequence[str]:
                    for work in batch.transactions:
                        _apply(writer, work)
                    return ()

                if (yield from self._tried(step, connection_id, apply)) is None:
                    return False
        return True

    def execute(
        self, step: Step, sql: str, before: Mapping[str, Any], *, is_undo: bool
    ) -> Generator[Transition, None, str]:
        """Send one statement: `ok`, or `indeterminate` with its session ended; raises NodeError where it failed."""
        self._dialect(step)
        with self._session(step) as (writer, connection_id):
            if not is_undo:
                self._begin(step)
            yield Intent(step, sql, connection_id, before, is_undo)
            self._let_polls_end(step, sql)
            warnings = yield from self._tried(
                step,
                connection_id,
                lambda: writer.execute(
                    sql,
                    secrets=self._secrets(step),
                    timeout_s=float(step.params.get("statement_limit_s", STATEMENT_LIMIT_S)),
                ),
            )
            if warnings is None:
                return "indeterminate"
            self._keep(step, writer)
            self._require_expected(step, warnings)
            return "ok"

    def _let_polls_end(self, step: Step, sql: str) -> None:
        """The intent is stored, so no poll that begins now reads the node's channels: one that is under way ends."""
        version = self._ctx.known_versions.get(str(step.node_id))
        if changes_channels(sql) and may_end_when_read(version):
            self._ctx.clock.sleep(POLL_ENDS_S)

    def _refuse_waiting(self, step: Step) -> None:
        """A statement without an answer, on a node whose commits wait for a replica, is not sent again.

        Its session is not ended: DDL that waits on a Galera node refuses a KILL, and a commit that is killed stays
        (measured on MariaDB 10.11.19).
        """
        why = why_commits_wait(self._ctx.facts_of(step))
        if why is not None:
            raise HaltError(f"{why}. Run SET GLOBAL {ENABLED}=OFF on {step.node}")

    def _require_expected(self, step: Step, warnings: Sequence[str]) -> None:
        dialect = self._dialect(step)
        unexpected = [w for w in warnings if not dialect.is_expected_note(w)]
        if unexpected:
            raise HaltError(f"the server warned: {unexpected[0]}", {"warnings": unexpected})

    def _dialect(self, step: Step) -> Dialect:
        """The dialect of the step's server, read once a run: the notes that a server sends do not change meanwhile."""
        assert step.node_id is not None
        if step.node_id not in self._ctx.known_dialects:
            self._ctx.dialect_of(self._ctx.facts_of(step))
        return self._ctx.known_dialects[step.node_id]

    @contextmanager
    def _session(self, step: Step) -> Iterator[tuple[NodeWriter, int]]:
        """A session on the planned server, and its connection id; no intent is stored before it answers."""
        assert step.node_id is not None
        writer, identity = self._sessions.take(step.node_id)
        try:
            self._check_identity(step, identity)
            yield writer, int(identity["connection_id"])
        finally:
            if not self._sessions.is_kept(writer):
                writer.close()

    def _keep(self, step: Step, writer: NodeWriter) -> None:
        assert step.node_id is not None
        self._sessions.keep(step.node_id, writer)

    def _begin(self, step: Step) -> None:
        """What must hold before any intent that is not an undo."""
        self._refuse_late()
        self._pass_point_of_no_return(step)
        self._progress.intended.add(step.index)

    def _tried(
        self, step: Step, connection_id: int, act: Callable[[], Sequence[str]]
    ) -> Generator[Transition, None, Sequence[str] | None]:
        """Warnings of what was sent, after its outcome was yielded; None for an unknown outcome, the session ended."""
        started = self._ctx.clock.monotonic_s()
        try:
            warnings = act()
        except NodeError as error:
            state = "indeterminate" if error.indeterminate else "failed"
            yield Outcome(step, state, error=str(error), duration_ms=self._since(started))
            if state == "failed":
                raise
            self._refuse_waiting(step)
            self._end_session(step, connection_id)
            return None
        yield Outcome(step, "ok", tuple(warnings), duration_ms=self._since(started))
        return warnings

    def _end_session(self, step: Step, connection_id: int) -> None:
        """A statement of unknown outcome may still run: end its session before the next observation."""
        assert step.node_id is not None
        node_id = step.node_id
        if not retry_once(lambda: end_session(self._ctx.gateway, node_id, connection_id)):
            raise HaltError(f"session {connection_id} on {step.node} could not be ended; its statement may still run")

    def _refuse_late(self) -> None:
        """An expired plan sends nothing, even where this process slept between the recheck and its first statement."""
        if not self._progress.intended and self._ctx.clock.now_s() > self._ctx.expires_at_s:
            raise HaltError("The plan expired before its first statement. Nothing was sent. Create a new plan.")

    def _pass_point_of_no_return(self, step: Step) -> None:
        """At the point of no return an abort and the run compete once; one of them wins."""
        first = next((s.index for s in self._plan.steps if s.point_of_no_return), None)
        reached = first is not None and step.index >= first
        if not reached or self._progress.is_past_return(self._plan):
            return
        if not self._pass_return():
            raise AbortGrantedError
        self._progress.is_return_closed = True

    def _since(self, started_s: float) -> float:
        return round((self._ctx.clock.monotonic_s() - started_s) * 1000, 1)

    def _check_identity(self, step: Step, identity: Mapping[str, str]) -> None:
        """The session reached the planned server, not another one at the same address."""
        assert step.node is not None
        another = identity_mismatch(self._plan.fingerprint, step.node, identity)
        if another is not None:
            raise HaltError(another)


def _apply(writer: NodeWriter, work: BatchTransaction) -> None:
    """Apply one transaction of a batch; earlier ones stay committed. A conflict names the transaction."""
    try:
        if work.schema_change is not None:
            writer.apply_schema_change(work.schema_change, marker=work.marker, timeout_s=SCHEMA_LIMIT_S)
            return
        writer.apply_transaction(work.statements, marker=work.marker, timeout_s=STATEMENT_LIMIT_S)
    except RowConflictError as error:
        message = f"transaction {work.index + 1}: {error.message}"
        raise RowConflictError(error.node, message, ordinal=error.ordinal, code=error.code) from error
