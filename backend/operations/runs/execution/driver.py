"""Executes a run: claims it, resolves the statements that a previous worker left open, and walks the plan.

Each transition is stored before the next one.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db import DatabaseError
from structlog.contextvars import bound_contextvars

from backend.clusters.models import Cluster, CredentialRole
from backend.common import tracing
from backend.common.process_owner import new_owner
from backend.common.transaction_retry import is_unavailable
from backend.core.facts.fingerprint import ONLY
from backend.core.plan import Plan as CorePlan
from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.ports import NodeError
from backend.core.runner import ABORTED, Ended, Intent, Progress, Runner
from backend.core.runner.reconnect import end_session, retry_once
from backend.core.steps.base import StepContext
from backend.gateway.gateway import NodeGateway
from backend.gateway.orphan_rows import LinkRows, RebuiltRows
from backend.gateway.side_contents import read_sides
from backend.monitoring.journal import DbJournal
from backend.monitoring.link_gateway import account_of, gateway_for_link
from backend.monitoring.recording.links import refresh_link
from backend.operations.runs.execution import worker_shutdown
from backend.operations.runs.execution.authorization import approval_in_force
from backend.operations.runs.execution.claim import StaleEpochError
from backend.operations.runs.execution.clock import RunClock
from backend.operations.runs.execution.console import RunConsole
from backend.operations.runs.execution.lease import LeaseKeeper
from backend.operations.runs.execution.passwords import RunPasswords, rotation_secrets
from backend.operations.runs.execution.store import OpenStatement, RunStore
from backend.operations.runs.execution.transition_recorder import TransitionRecorder
from backend.operations.runs.execution.unfinished_sessions import MAX_LOST_WORKERS, QuarantineGateway, end_sessions
from backend.operations.runs.execution.worker_shutdown import WorkerShutdownError
from backend.operations.runs.models import Run, RunState, RunStep, StepState
from backend.operations.runs.planning.facts import locate_direction
from backend.operations.runs.planning.planner import unasked_nodes
from backend.operations.runs.planning.stored_plan import PlanVersionError, core_plan
from backend.transactions.orphans.selectors import orphan_list as kept_orphans

log = structlog.get_logger(__name__)


def drive(run_id: str) -> None:
    """Execute the run as far as possible; a run that another worker has claimed is left alone."""
    store = RunStore(run_id, new_owner())
    if store.claim(settings.HAWSER_LEASE_S) is None:
        log.info("run.already_claimed", run_id=run_id)
        return
    keeper = LeaseKeeper(store, settings.HAWSER_LEASE_S)
    keeper.start()
    context = ExitStack()
    try:
        run = store.run()
        context.enter_context(_run_span(run, store.epoch))
        context.enter_context(log_context(run))
        Driver(store, run).run()
    except StaleEpochError:
        log.warning("run.taken_over", run_id=run_id, epoch=store.epoch)
    except WorkerShutdownError:
        log.info("run.released", run_id=run_id, epoch=store.epoch)  # the monitor dispatches it again
    except PlanVersionError as error:
        next_action = "Finish the upgrade, so that web and all workers have the same version. Then resume the run."
        _hand_to_operator(store, str(error), next_action)
    except Exception as error:
        if is_unavailable(error):
            log.warning("run.database_unavailable", run_id=run_id, epoch=store.epoch, error=str(error))
            return  # released: the monitor dispatches it again, and the next worker observes before it sends
        log.exception("run.driver_failed", run_id=run_id)
        next_action = (
            "Check the worker log, fix the cause, then resume the run. Node state is rechecked before anything is sent."
        )
        _hand_to_operator(store, f"The worker failed: {type(error).__name__}: {error}", next_action)
    finally:
        context.close()
        keeper.stop()
        store.release()


def log_context(run: Run) -> AbstractContextManager[Any]:
    """Log lines that name the run and its requester, from the run's row."""
    return bound_contextvars(run_id=run.pk, link_id=run.link_id, requested_by=run.requested_by)


def _run_span(run: Run, epoch: int) -> AbstractContextManager[Any]:
    """The first span of a worker's part in the run's trace."""
    attributes: tracing.Attributes = {
        "hawser.run_id": run.pk,
        "hawser.link_id": run.link_id,
        "hawser.kind": run.kind,
        "hawser.epoch": epoch,
    }
    return tracing.span(f"run {run.kind}", attributes, run_id=run.pk)


def _hand_to_operator(store: RunStore, outcome: str, next_action: str) -> None:
    """An error in Hawser itself stops the run for an operator, once, instead of being repeated forever.

    If even that cannot be stored (the console's database is down), the run stays claimed until its lease ends, and the
    next worker observes again.
    """
    try:
        store.run_finished(RunState.NEEDS_OPERATOR, outcome=outcome, next_action=next_action)
    except (StaleEpochError, DatabaseError):
        log.exception("run.handover_failed", run_id=store.run_id)


class Driver:
    """The work of one claim on a run."""

    def __init__(self, store: RunStore, run: Run) -> None:
        self._store = store
        self._run = run
        self._plan: CorePlan = core_plan(self._run.plan)
        self._left: Mapping[str, NodeError] = {}

    def run(self) -> None:
        """Resolve open statements, walk the plan, and end the run, unless the worker crashes first."""
        if self._run.lost_workers > MAX_LOST_WORKERS:
            self._stop_losing_workers()
            return
        planned = self._plan.fingerprint
        hung = unasked_nodes(self._run.link, planned.get(ONLY))
        gateway = gateway_for_link(self._run.link, active_name=planned["active"], hung=hung, run_id=self._run.pk)
        try:
            if self._kill_predecessor_sessions(gateway):
                self._walk(gateway)
        finally:
            gateway.close()

    def _kill_predecessor_sessions(self, gateway: NodeGateway) -> bool:
        """Kill the sessions whose statements have no outcome; only then is an observation conclusive.

        If one may still be open, the run does not continue. Before the point of no return all other nodes are restored,
        so that one node that is down keeps none of them fenced. After it an operator decides.
        """
        steps = self._plan.steps
        self._left = end_sessions(
            gateway,
            [
                (statement.node_id, str(steps[statement.step_index].node), statement.connection_id)
                for statement in self._store.open_statements()
                if statement.connection_id is not None
            ],
        )
        if not self._fence_superseded(gateway):
            return False
        if not self._left:
            return True
        sentence = f"The session of an earlier worker could not be ended: {'; '.join(map(str, self._left.values()))}."
        if self._progress(self._store.steps()).is_past_return(self._plan):
            return self._hand_to_operator(sentence)
        self._start_undo(sentence)
        return True

    def _start_undo(self, sentence: str) -> None:
        """Let every later worker only revert this run."""
        if "undoing" in self._run.facts:
            return
        is_abort = self._store.abort_requested()
        reason = ABORTED if is_abort else sentence
        self._store.remember({"undoing": {"reason": reason, "is_abort": is_abort}})
        self._run = self._store.run()

    def _fence_superseded(self, gateway: NodeGateway) -> bool:
        """End what the superseded run left in progress, if its server responds.

        A node that does not respond was attested or expelled when this run was planned. Waiting for it would let the
        failed node block the plan that moves the link away from it.
        """
        for statement in self._store.superseded_statements():
            if statement.connection_id is None:
                continue
            try:
                gone = _kill(gateway, statement)
            except NodeError as error:
                log.warning("run.superseded_statement_unseen", run_id=self._run.id, error=str(error))
                continue
            if not gone:
                return self._hand_to_operator("A session of the superseded run could not be ended.")
        return True

    def _hand_to_operator(self, sentence: str, remedy: str = "Make sure that the node responds") -> bool:
        next_action = f"{remedy}, then resume the run. Or create a new plan."
        self._store.run_finished(RunState.NEEDS_OPERATOR, outcome=sentence, next_action=next_action)
        return False

    def _stop_losing_workers(self) -> None:
        at = self._plan.steps[self._run.cursor].title if self._run.cursor >= 0 else "the beginning"
        self._hand_to_operator(
            f"{pluralize(self._run.lost_workers, 'worker')} in a row failed or stopped responding at: {at}.",
            "Find what ended them and fix it (the system log names a process that was ended for lack of memory)",
        )

    def _walk(self, gateway: NodeGateway) -> None:
        steps, clock = self._store.steps(), RunClock()
        keeper = TransitionRecorder(self._store, self._run, self._plan, gateway)
        ctx = StepContext(
            plan=self._plan,
            gateway=QuarantineGateway(gateway, self._left) if self._left else gateway,
            clock=clock,
            locate=lambda question, link: locate_direction(question, link, gateway, RebuiltRows(gateway)),
            results={s.index: s.facts for s in steps if s.state == StepState.SUCCEEDED.value},
            console=RunConsole(self._store, self._run.link_id, keeper.defer),
            journal=DbJournal(),
            facts_confirmed_at_s=self._facts_confirmed_at_s(),
            probe_token=self._run.id,
            orphans=kept_orphans,
            rows=LinkRows(gateway),
            contents=partial(read_sides, gateway),
            passwords=RunPasswords(self._store, gateway),
        )
        runner = Runner(
            ctx,
            self._progress(steps),
            secrets=self._secrets,
            is_abort_requested=self._store.abort_requested,
            pass_return=keeper.pass_point_of_no_return,
            is_no_verdict=lambda error: is_unavailable(error) or isinstance(error, WorkerShutdownError),
        )
        clock.before_wait = keeper.flush
        try:
            for transition in runner.walk():
                if isinstance(transition, Ended):
                    keeper.flush()  # what the steps stored of the link is part of what is shown of it
                    self._refresh(gateway)
                keeper.note(transition)
                if not isinstance(transition, Intent | Ended):
                    worker_shutdown.check_shutdown()
        except Exception:
            with suppress(StaleEpochError, DatabaseError):
                keeper.flush()
            raise

    def _refresh(self, gateway: NodeGateway) -> None:
        """Store the link as this run leaves it, before the run is shown as ended; where that fails the monitor does."""
        try:
            refresh_link(self._run.link_id, {node.node.id: node for node in gateway.observe_link().nodes})
        except Exception as error:  # noqa: BLE001 - the run has ended on the servers whatever is shown of it
            log.warning("run.link_not_refreshed", run_id=self._run.id, error=str(error))

    def _facts_confirmed_at_s(self) -> float:
        """An approval compares the servers with the plan again."""
        approval = approval_in_force(self._run) if self._run.needs_approval else None
        return approval.at.timestamp() if approval else 0.0

    def _progress(self, steps: list[RunStep]) -> Progress:
        turned = self._run.facts.get("undoing")
        return Progress(
            done={s.index for s in steps if s.state == StepState.SUCCEEDED.value},
            intended=self._store.indexes_with_statements(),
            undone={s.index for s in steps if s.state == StepState.UNDONE.value},
            undo_reason=turned["reason"] if turned else None,
            is_abort=bool(turned and turned["is_abort"]),
            is_return_closed=self._run.point_of_no_return_passed,
        )

    def _secrets(self, step: Step) -> Mapping[str, str]:
        """Passwords for a statement, decrypted only when needed and never stored."""
        if "rotation" in step.params:
            return rotation_secrets(step)
        cluster_id = step.params.get("secret_cluster_id")
        if cluster_id is None:
            return {}
        _, password = account_of(Cluster.objects.get(pk=cluster_id), CredentialRole.REPLICATION)
        return {"replication": password}


def _kill(gateway: NodeGateway, statement: OpenStatement) -> bool:
    return retry_once(lambda: end_session(gateway, statement.node_id, int(statement.connection_id or 0)))


def run_inline(run_id: str, *, limit_s: float) -> Run:
    """Execute a run in this process (break-glass), without Redis and workers."""
    until = time.monotonic() + limit_s
    while True:
        drive(run_id)
        run = Run.objects.get(pk=run_id)
        if RunState(run.state).is_final or run.state == RunState.NEEDS_OPERATOR:
            return run
        if time.monotonic() > until:
            return run
        time.sleep(0.5)
