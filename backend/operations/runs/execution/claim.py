"""A worker's claim on a run, made by compare-and-set and fenced by its epoch on every write.

Each write names the epoch. If another worker has claimed the run meanwhile, the write changes no row and raises
StaleEpochError. Leases are compared with the database's own clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, When
from django.db.models.functions import Coalesce, Now

from backend.audit import services as audit
from backend.common.events import services as events
from backend.common.events.models import Event
from backend.common.process_owner import is_gone
from backend.common.transaction_retry import retry_on_rollback
from backend.operations.runs import states
from backend.operations.runs.execution.authorization import Refusal, authorization_of, why_not_carried
from backend.operations.runs.execution.beginning import why_not_begin
from backend.operations.runs.models import Run, RunState

_LOOK_INTO_IT = (
    "Find out who changed the console's database (audit log and logs of the database server). Then "
    "create a new plan, or resume the run, which needs a new approval."
)

_DECIDE_AGAIN = "Resume the run, and have it approved again if its link needs that. Or create a new plan."

_REPORTED = ("epoch", "link_id", "plan_id", "state", "version", "requested_by", "request_id")
"""What events and the audit log tell of a run; a whole row brings the plan with it, which is long to parse."""


class StaleEpochError(Exception):
    """Another worker has claimed the run: stop at once and send nothing."""


@dataclass(slots=True)
class _Guarded:
    """An open transaction of the claim: what is still to be written at its end, the audit log last."""

    run: Run
    changes: dict[str, Any]
    events: list[Event] = field(default_factory=list)
    records: list[audit.Entry] = field(default_factory=list)


@lru_cache(maxsize=16)
def _claimed(run_id: str, epoch: int) -> QuerySet[Run]:
    """The run while a claim is in force; every write begins with it, and to build it takes as long as to read it."""
    return Run.objects.filter(pk=run_id, epoch=epoch, state=RunState.RUNNING.value)


def claimable_of(owner: str) -> Q:
    """Runs of this owner that can be claimed: the lease has expired, or the owner's process is known to have ended."""
    lapsed = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    return lapsed | Q(owner=owner) if owner and is_gone(owner) else lapsed


class RunClaim:
    """One worker's claim on one run; `owner` must be unique to this worker's driver."""

    def __init__(self, run_id: str, owner: str) -> None:
        self.run_id = run_id
        self.owner = owner
        self.epoch = 0
        self._guarded: _Guarded | None = None

    @retry_on_rollback
    def claim(self, lease_s: float) -> int | None:
        """Claim the run if no worker holds it; returns the new epoch, or None."""
        found = self.run()
        free = Run.objects.filter(claimable_of(found.owner), pk=self.run_id, state__in=states.CLAIMABLE)
        if free.exists() and (refusal := why_not_carried(found) or why_not_begin(found)) is not None:
            self._refuse(found, refusal)
            return None
        with transaction.atomic():
            # Only at the epoch whose authorization was checked.
            won = free.filter(epoch=found.epoch).update(
                epoch=found.epoch + 1,
                authorization=authorization_of(found, epoch=found.epoch + 1),
                version=F("version") + 1,
                # before `owner`, because MariaDB assigns from left to right
                lost_workers=Case(When(owner="", then=F("lost_workers")), default=F("lost_workers") + 1),
                takeovers=Case(When(owner="", then=F("takeovers")), default=F("takeovers") + 1),
                owner=self.owner,
                lease_until=Now() + timedelta(seconds=lease_s),
                state=RunState.RUNNING.value,
                started_at=Coalesce("started_at", Now()),
            )
            if not won:
                return None
            run = self._reported_row()
            self.epoch = run.epoch
            self._notify(run)
            self._record("claim", run, {"epoch": run.epoch, "owner": self.owner})
        return self.epoch

    def _refuse(self, run: Run, refusal: Refusal) -> None:
        """Stop a run that no worker may carry: it ends, or if it had started, it needs an operator."""
        advice = _LOOK_INTO_IT if refusal.is_tampering else _DECIDE_AGAIN
        changes: dict[str, Any] = {"state": RunState.NEEDS_OPERATOR.value, "next_action": advice}
        if run.started_at is None:
            changes = {"state": RunState.FAILED.value, "unfinished_link": None, "ended_at": Now()}
        outcome = f"The worker refused the run. {refusal.sentence}"
        with transaction.atomic():
            rows = Run.objects.filter(pk=run.pk, epoch=run.epoch, state=run.state)
            settled = rows.update(
                epoch=F("epoch") + 1, version=F("version") + 1, authorization="", owner="", outcome=outcome, **changes
            )
            if not settled:
                return
            self._notify(self._reported_row())
            if refusal.is_tampering:
                events.raised(
                    link_id=run.link_id, run_id=run.id, kind="run.tampered", severity="blocker", message=outcome
                )
            else:
                events.raised(
                    link_id=run.link_id, run_id=run.id, kind="run.refused", severity="warning", message=outcome
                )
            self._record("refused", run, {"code": refusal.code, "state": run.state})

    @retry_on_rollback
    def renew(self, lease_s: float) -> None:
        """Renew the lease; raises StaleEpochError if another worker has claimed the run."""
        lease = Now() + timedelta(seconds=lease_s)
        if not self._mine().update(lease_until=lease):
            raise StaleEpochError(self.run_id)

    @retry_on_rollback
    def release(self) -> None:
        """Release the claim, so that the next one need not wait for the lease; harmless if the claim is lost."""
        self._mine().update(owner="", lease_until=None)

    def check(self) -> None:
        """Read the epoch again, just before a changing statement; raises StaleEpochError."""
        if not self._mine().filter(lease_until__gt=Now()).exists():
            raise StaleEpochError(self.run_id)

    @contextmanager
    def guard(self, **changes: Any) -> Iterator[Run]:
        """A transaction that first proves, and locks, the claim on the run; gives the run without plan and facts.

        The run is locked before its link, and the audit log's head last. Within another one it adds to that.
        """
        if self._guarded is not None:
            self._guarded.changes |= changes
            yield self._guarded.run
            return
        with transaction.atomic():
            run = next(iter(self._mine().select_for_update().only(*_REPORTED)), None)
            if run is None:
                raise StaleEpochError(self.run_id)
            self._guarded = _Guarded(run, changes)
            try:
                yield run
                self._write_end(self._guarded)
            finally:
                self._guarded = None

    def _write_end(self, guarded: _Guarded) -> None:
        run, state = guarded.run, guarded.changes.get("state", guarded.run.state)
        Run.objects.filter(pk=self.run_id).update(version=run.version + 1, **guarded.changes)
        changed = events.run_change(run_id=run.id, link_id=run.link_id, state=state, version=run.version + 1)
        events.append_all([changed, *guarded.events])
        if guarded.records:
            audit.record_all(guarded.records)

    def run(self) -> Run:
        """The current row of the run."""
        return Run.objects.select_related("plan", "link").get(pk=self.run_id)

    def add_event(self, event: Event) -> None:
        """Store an event, in an open transaction of the claim at its end."""
        if self._guarded is not None:
            self._guarded.events.append(event)
        else:
            events.append_all([event])

    def add_record(self, entry: audit.Entry) -> None:
        """Write to the audit log, in an open transaction of the claim at its end: its head is locked last."""
        if self._guarded is not None:
            self._guarded.records.append(entry)
        else:
            audit.record_all([entry])

    # -- private

    def _reported_row(self) -> Run:
        """The current row without plan and facts."""
        return Run.objects.only(*_REPORTED).get(pk=self.run_id)

    def _mine(self) -> QuerySet[Run]:
        return _claimed(self.run_id, self.epoch).all()

    def _notify(self, run: Run) -> None:
        events.run_updated(run_id=run.id, link_id=run.link_id, state=run.state, version=run.version)

    def _record(self, what: str, run: Run, facts: Mapping[str, Any]) -> None:
        entry = audit.Entry(
            actor=run.requested_by,
            action=f"worker:run:{what}",
            link_id=run.link_id,
            run_id=run.id,
            target=run.plan_id,
            facts=facts,
            request_id=run.request_id,
        )
        self.add_record(entry)
