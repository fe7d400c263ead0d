"""What a run changes in the console's database; implements the core's `Console`.

Every change first proves the claim on the run, and keeps it until the change is committed. A worker that slept past its
lease, before or in between, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from backend.audit import services as audit
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.core.known_groups import AppliedPlace
from backend.core.link_facts import Divergence
from backend.core.orphans.outcome import outcome_of
from backend.core.ports import HookResponse
from backend.core.positions import FilePosition
from backend.monitoring import link_roles, loss
from backend.monitoring.maintenances import maintenance_open, stop_allowed
from backend.notifications.hooks.delivery import RunCall, call_for_run
from backend.operations.runs.execution.channel_records import Write
from backend.operations.runs.execution.store import RunStore
from backend.operations.runs.models import Run
from backend.operations.runs.selectors import other_runs_on, unknown_runs


def _at_once(write: Write) -> None:
    write()


class RunConsole:
    """The rows of the link of one run; `defer` stores a change later, before the run's next statement is sent."""

    def __init__(self, store: RunStore, link_id: str, defer: Callable[[Write], None] = _at_once) -> None:
        self._store = store
        self._link_id = link_id
        self._defer = defer

    def knows_run(self, run_id: str) -> bool:
        """Read from the database itself."""
        return run_id not in unknown_runs({run_id})

    def other_run_on(self, cluster_id: str) -> str | None:
        """Read from the database itself."""
        other = other_runs_on(cluster_id).exclude(pk=self._store.run_id).first()
        return f"Run {other.pk} ({other.kind}) of {other.link.name} is unfinished" if other else None

    def unapplied_behind(self, executed: FilePosition, place: AppliedPlace | None) -> int | None:
        """Counted in what the monitor has read."""
        return loss.unapplied_behind(self._link_id, executed, place)

    def set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> None:
        """Swap the link's roles, once."""
        self._defer(partial(self._set_roles, active_cluster_id, standby_cluster_id))

    @retry_on_rollback
    def _set_roles(self, active_cluster_id: str, standby_cluster_id: str) -> None:
        with self._store.guard() as run:
            if link_roles.set_roles(self._link_id, active_cluster_id, standby_cluster_id):
                self._record_event(
                    run, "link:roles", "link.roles", "The link's roles were swapped.", {"active": active_cluster_id}
                )

    @retry_on_rollback
    def record_divergence(self, divergence: Divergence) -> None:
        """Invalidate the lost side."""
        with self._store.guard() as run:
            link_roles.record_divergence(self._link_id, divergence)
            self._record_event(
                run, "link:invalidated", "link.invalidated", divergence.detail, {"cluster": divergence.lost_cluster_id}
            )

    @retry_on_rollback
    def reconcile(self, lost_cluster_id: str, state_uuid: str | None) -> None:
        """Make the lost side eligible as a source again."""
        with self._store.guard() as run:
            link_roles.reconcile(self._link_id, lost_cluster_id, state_uuid)
            self._record_event(
                run, "link:reconciled", "link.reconciled", "The lost side is reconciled.", {"cluster": lost_cluster_id}
            )

    @retry_on_rollback
    def accept_state_uuid(self, cluster_id: str, state_uuid: str) -> None:
        """Accept the side's new state UUID."""
        with self._store.guard() as run:
            link_roles.accept_state_uuid(self._link_id, cluster_id, state_uuid)
            self._record_event(
                run,
                "link:state_uuid",
                "link.state_uuid",
                "The new state UUID of a side is accepted.",
                {"cluster": cluster_id, "state_uuid": state_uuid},
            )

    @retry_on_rollback
    def attach(self, lost_cluster_id: str) -> None:
        """End the failover."""
        with self._store.guard() as run:
            done = outcome_of(run.plan.body)
            link_roles.attach(self._link_id, lost_cluster_id, None if done is None else done.to_json())
            self._record_event(
                run,
                "link:attached",
                "link.attached",
                "The lost side is the standby side again.",
                {"cluster": lost_cluster_id},
            )

    @retry_on_rollback
    def open_maintenance(self, params: Mapping[str, Any]) -> bool:
        """Store it, once."""
        with self._store.guard() as run:
            return maintenance_open(link_id=self._link_id, run_id=run.id, actor=run.requested_by, params=params)

    @retry_on_rollback
    def allow_stop(self, last_seqno: int, logs: Sequence[tuple[str, int]]) -> bool:
        """From now on the monitor watches the node."""
        with self._store.guard():
            return stop_allowed(self._store.run_id, last_seqno, logs)

    def call_hook(self, hook_id: str, key: str) -> HookResponse:
        """Call the webhook, once: a call that was accepted with this key is not repeated."""
        self._store.check()
        run = self._store.run()
        index = int(key.rpartition(":")[2])
        call = RunCall(
            link_id=run.link_id,
            run_id=run.id,
            kind=run.kind,
            plan_id=run.plan_id,
            digest=run.plan.digest,
            summary=run.plan.body["summary"],
            step=run.plan.body["steps"][index],
        )
        return call_for_run(hook_id, key, call)

    def _record_event(self, run: Run, action: str, kind: str, message: str, facts: dict[str, object]) -> None:
        names, actor = {"link_id": self._link_id, "run_id": run.id}, run.requested_by
        entry = audit.Entry(actor=actor, action=f"worker:{action}", **names, facts=facts, request_id=run.request_id)
        self._store.add_record(entry)
        self._store.add_event(events.to_raise(**names, kind=kind, severity="info", message=message, actor=actor))
