"""Walks a plan and yields each transition; the caller stores it before the walk continues.

Invariant: no changing statement is sent before its intent was stored (the caller has stored it once it resumes the
generator). After a crash the walk first observes the servers, so a statement whose effect shows is never sent again.
Before the point of no return a failure or an abort reverts what was done, last first. After it the walk starts the
channel of the other direction that it had stopped (`give_back`), stops where it is, and says how to continue.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from backend.core.plan import Step
from backend.core.plural import pick
from backend.core.ports import NodeError
from backend.core.runner.give_back import said_of, steps_to_give_back, stopped_directions
from backend.core.runner.sender import AbortGrantedError, HaltError, Sender
from backend.core.runner.together import Sending, Sent, groups, is_untouched
from backend.core.runner.transitions import (
    Ended,
    Progress,
    StepDone,
    StepFailed,
    StepStarted,
    StepUndone,
    Transition,
    UndoStarted,
)
from backend.core.steps.base import (
    Effect,
    Observation,
    RefusedByFactsError,
    SentTogether,
    StepContext,
    Undoable,
)
from backend.core.steps.registry import STEP_KINDS

Walk = Generator[Transition, None, None]

REPEATED_AFTER_CRASH = frozenset(
    {
        "locate",
        "locate_log_end",
        "verify_fence",
        "verify_caught_up",
        "record_divergence",
        "verify_no_orphans",
        "open_maintenance",
    }
)
"""Steps that depend on the servers' current state: before the point of no return a successor proves them again."""
ABORTED = "Aborted by an operator."
"""The reason of every undo that an abort started."""


class Runner:
    """One walk over one plan; after every interruption a new one is built from the stored progress.

    Before the point of no return, positions proven before an interruption are proven again. Where nothing was sent
    yet, all facts of the plan are compared again, too.

    `is_no_verdict` recognizes faults of the console's own database. They say nothing about a step, so they end this
    walk without a result for it, and a successor observes the servers again.
    """

    def __init__(
        self,
        ctx: StepContext,
        progress: Progress,
        *,
        secrets: Callable[[Step], Mapping[str, str]],
        is_abort_requested: Callable[[], bool],
        pass_return: Callable[[], bool],
        is_no_verdict: Callable[[Exception], bool] = lambda _: False,
    ) -> None:
        self._ctx = ctx
        self._plan = ctx.plan
        self._progress = progress
        if not progress.is_past_return(ctx.plan):
            repeated = REPEATED_AFTER_CRASH if progress.intended else REPEATED_AFTER_CRASH | {"recheck"}
            progress.done -= {s.index for s in ctx.plan.steps if s.code in repeated}
        self._sender = Sender(ctx, progress, secrets=secrets, pass_return=pass_return)
        self._is_abort_requested = is_abort_requested
        self._is_no_verdict = is_no_verdict

    def walk(self) -> Walk:
        """Yield transitions until Ended; what a step raises becomes its failure, never a success."""
        try:
            yield from self._transitions()
        finally:
            self._sender.close()

    def _transitions(self) -> Walk:
        if self._progress.undo_reason is not None:
            yield from self._undo_all(self._progress.undo_reason, is_abort=self._progress.is_abort)
            return
        for group in groups(self._plan):
            sent: Mapping[int, Sent] = {}
            if len(group) > 1 and is_untouched(group, self._progress) and not self._is_to_abort():
                self._sender.open_ahead()
                try:
                    sent = yield from self._send_together(group)
                except AbortGrantedError:
                    yield from self._abort()
                    return
            if (yield from self._do_each(group, sent)):
                return
        yield Ended("succeeded", self._plan.summary + ": done and verified.")

    def _is_to_abort(self) -> bool:
        return not self._progress.is_past_return(self._plan) and self._is_abort_requested()

    def _send_together(self, group: Sequence[Step]) -> Generator[Transition, None, Mapping[int, Sent]]:
        """What became of the statements of all these steps; nothing where one of them needs a closer look."""
        ready = self._ready(group)
        if not ready:
            return {}
        sent = yield from self._sender.send_together(ready)
        with suppress(NodeError):  # each step's own proof says why
            kind = STEP_KINDS[group[0].code]
            if isinstance(kind, SentTogether) and all(one is True for one in sent.values()):
                kind.all_accepted(self._ctx, group)
            self._poll(group)
        return sent

    def _ready(self, group: Sequence[Step]) -> Sequence[Sending]:
        """What is to be sent, or nothing: then each step goes its own way, and says what is unusual."""
        try:
            seen = self._looks(group)
            return self._sender.prepare(group, seen) if seen else ()
        except (NodeError, RefusedByFactsError, HaltError):
            self._ctx.polled.clear()
            return ()

    def _looks(self, group: Sequence[Step]) -> Sequence[Observation]:
        """What each step observes, where all of them are to be done."""
        self._ctx.polled.update(self._ctx.polled_ahead(group))
        self._poll(group)
        if not all(facts.is_up for facts in self._ctx.polled.values()):
            self._ctx.polled.clear()
            return ()
        seen = [STEP_KINDS[step.code].look(self._ctx, step) for step in group]
        return seen if all(one.effect is Effect.TO_DO for one in seen) else ()

    def _poll(self, group: Sequence[Step]) -> None:
        """Poll the nodes of these steps in parallel, for their next look, unless they are polled."""
        polled = self._ctx.polled
        unpolled = [str(step.node_id) for step in group if step.node_id not in polled]
        if unpolled:
            polled.update(self._ctx.gateway.observe_nodes(unpolled))

    def _do_each(self, group: Sequence[Step], sent: Mapping[int, Sent]) -> Generator[Transition, None, bool]:
        """Do these steps one after the other, and prove those that were sent; True where the walk ended with one."""
        failed: list[tuple[Step, str]] = []
        for step in group:
            if step.index in self._progress.done:
                continue
            try:
                if failed and not self._is_plain(step, sent):
                    raise HaltError(f"not observed again, because {failed[0][0].node} failed")
                yield from self._entered(step, sent)
            except AbortGrantedError:
                yield from self._abort()
                return True
            except Exception as error:
                if self._is_no_verdict(error):
                    raise
                sentence, facts = _reason(error)
                yield StepFailed(step, sentence, facts)
                failed.append((step, sentence))
                if not sent:
                    break
        self._ctx.polled.clear()
        if failed:
            yield from self._fail(*failed[0])
        return bool(failed)

    def _is_plain(self, step: Step, sent: Mapping[int, Sent]) -> bool:
        """Whether this step ends without a wait: once another one of its group failed, none waits or sends again."""
        facts = self._ctx.polled.get(str(step.node_id))
        return sent[step.index] is not False and facts is not None and facts.is_up

    def _entered(self, step: Step, sent: Mapping[int, Sent]) -> Walk:
        if step.index in sent:
            yield from self._do(step, sent[step.index])
            return
        if self._is_to_abort():
            raise AbortGrantedError
        if step.sql:
            self._sender.open_ahead()
        yield StepStarted(step, is_followed=self._passes_return_at_once(step))
        yield from self._do(step)

    def _passes_return_at_once(self, step: Step) -> bool:
        """Whether this step asks no server, and the point of no return is the first thing that is stored of it."""
        return step.point_of_no_return and step.node_id is None and not self._progress.is_past_return(self._plan)

    def _do(self, step: Step, sent: Sent = False) -> Walk:
        """Look, send and prove; prove alone what was sent already."""
        if isinstance(sent, Exception):
            raise sent
        observed = False if sent else (yield from self._sent_or_observed(step))
        proof = STEP_KINDS[step.code].prove(self._ctx, step)
        if not proof.is_ok:
            raise HaltError(proof.sentence, proof.facts)
        self._progress.done.add(step.index)
        self._ctx.results[step.index] = proof.facts
        yield StepDone(step, proof.sentence, proof.facts, observed_after_crash=observed)

    def _sent_or_observed(self, step: Step) -> Generator[Transition, None, bool]:
        """Send the step's statement; whether its effect was observed instead."""
        kind = STEP_KINDS[step.code]
        seen = kind.look(self._ctx, step)
        observed = False
        for _ in range(3):
            if seen.effect is not Effect.TO_DO:
                break
            settled = yield from self._sender.send(step, seen)
            if settled:
                break
            seen = kind.look(self._ctx, step)
            observed = seen.effect is Effect.DONE
        if seen.effect is Effect.UNSEEN:
            raise HaltError(seen.sentence, seen.state)
        if seen.effect is Effect.FOREIGN:
            raise HaltError(f"{seen.sentence}. It was changed outside this run.", seen.state)
        return observed or (seen.effect is Effect.DONE and step.index in self._progress.intended)

    def _fail(self, step: Step, sentence: str) -> Walk:
        if self._progress.is_past_return(self._plan):
            given_back = yield from self._give_back(step)
            yield Ended(
                "needs_operator",
                " ".join([f"Stopped at step {step.index + 1} ({step.title}): {_closed(sentence)}", *given_back]),
                "The point of no return has been passed. Fix the cause and resume the run (it rechecks the nodes "
                "first), or create a new plan.",
            )
            return
        yield UndoStarted(sentence, is_abort=False)
        yield from self._undo_all(sentence, is_abort=False)

    def _give_back(self, failed: Step) -> Generator[Transition, None, list[str]]:
        """Start the channel of the other direction all the same, where this run stopped it; what became of each.

        Its own steps are done as planned, at its proven position with its own options. Nothing else is skipped for it.
        """
        said = []
        for direction in stopped_directions(self._plan, self._progress):
            steps = steps_to_give_back(self._plan, self._progress, failed, direction)
            for step in steps:
                try:
                    yield from self._entered(step, {})
                except Exception as error:
                    if self._is_no_verdict(error):
                        raise
                    yield StepFailed(step, *_reason(error))
                    break
            is_started = bool(steps) and all(step.index in self._progress.done for step in steps)
            said.append(said_of(direction, failed, is_started=is_started))
        return said

    def _abort(self) -> Walk:
        yield UndoStarted(ABORTED, is_abort=True)
        yield from self._undo_all(ABORTED, is_abort=True)

    def _undo_all(self, reason: str, *, is_abort: bool) -> Walk:
        """Revert every effect, last first: channels run again as before, fenced nodes are unfenced.

        A node that cannot be restored does not stop the undo of the others: each is tried, and each failure is named.
        """
        stuck: list[tuple[Step, str]] = []
        for step in reversed(self._plan.steps):
            kind = STEP_KINDS[step.code]
            if not isinstance(kind, Undoable) or step.index not in self._progress.intended:
                continue
            if step.index in self._progress.undone:
                continue
            try:
                yield from self._undo(kind, step)
            except Exception as error:
                if self._is_no_verdict(error):
                    raise
                stuck.append((step, _reason(error)[0]))
                continue
            self._progress.undone.add(step.index)
            yield StepUndone(step, f"{step.node}: {kind.undone(step)}")
        if stuck:
            failed = " ".join(f"Restoring {step.node} failed: {why.rstrip('.')}." for step, why in stuck)
            by_hand = " ".join(f"Restore {step.node} by hand: {'; '.join(step.undo)}." for step, _ in stuck)
            onward = "Or resume the run once the node responds, or create a new plan."
            yield Ended("needs_operator", f"{_closed(reason)} {failed}", f"{by_hand} {onward}")
            return
        state = "aborted" if is_abort else "failed"
        yield Ended(state, f"{_closed(reason)} {self._state_after_undo()}", "Create a new plan when ready.")

    def _state_after_undo(self) -> str:
        undone = [step for step in self._plan.steps if step.index in self._progress.undone]
        fenced, stopped = (
            sorted({str(step.node) for step in undone if not step.undo and step.code == code})
            for code in ("fence", "stop_channel")
        )
        sentences = [f"{', '.join(fenced)} {pick(len(fenced), 'is', 'are')} still fenced."] if fenced else []
        sentences += [f"The stray channel of {', '.join(stopped)} stays stopped."] if stopped else []
        if sentences:
            return " ".join(sentences)
        return "The previous state was restored." if undone else "Nothing was changed."

    def _undo(self, kind: Undoable, step: Step) -> Walk:
        """Revert what this step did, and check that it is reverted; raises where it is not."""
        for _ in range(3):
            sql = kind.undo_statement(self._ctx, step)
            if sql is None:
                return
            yield from self._sender.execute(step, sql, {}, is_undo=True)
        if kind.undo_statement(self._ctx, step) is not None:
            raise HaltError(f"the change on {step.node} could not be reverted")


def _closed(sentence: str) -> str:
    """The sentence with a full stop, so that another sentence can follow."""
    return sentence.rstrip(".") + "."


def _reason(error: Exception) -> tuple[str, Mapping[str, Any]]:
    if isinstance(error, HaltError):
        return error.sentence, error.facts
    if isinstance(error, NodeError | RefusedByFactsError):
        return str(error), {}
    return f"{type(error).__name__}: {error}", {}
