"""A worker's hold on a run: claimed by compare-and-set, fenced by its epoch on every write.

Each write names the epoch; where another worker claimed the run meanwhile, it changes no row
and raises StaleEpochError. Leases are compared with the database's own clock.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Case, F, Q, When
from django.db.models.functions import Coalesce, Now

from backend.audit import services as audit
from backend.common.events import services as events
from backend.common.transaction_retry import retry_on_rollback
from backend.runs import states
from backend.runs.execution.owner import is_gone
from backend.runs.execution.requester_permission import requester_may_run
from backend.runs.models import Run, RunState


class StaleEpochError(Exception):
    """Another worker holds the run: stop at once, send nothing."""


def claimable_of(owner: str) -> Q:
    """Runs that may be claimed though this owner holds them: its lease lapsed, or its process is seen to be gone."""
    lapsed = Q(lease_until__isnull=True) | Q(lease_until__lt=Now())
    return lapsed | Q(owner=owner) if owner and is_gone(owner) else lapsed


class RunClaim:
    """One worker's claim on one run; `owner` must be unique to this worker's driver."""

    def __init__(self, run_id: str, owner: str) -> None:
        self.run_id = run_id
        self.owner = owner
        self.epoch = 0

    @retry_on_rollback
    def claim(self, lease_s: float) -> int | None:
        """Take the run if nobody holds it; its new epoch, or None."""
        if not self._requester_may():
            return None
        free = claimable_of(self.run().owner)
        with transaction.atomic():
            won = Run.objects.filter(free, pk=self.run_id, state__in=states.CLAIMABLE).update(
                epoch=F("epoch") + 1,
                version=F("version") + 1,
                # in front of `owner`: MariaDB assigns from left to right
                lost_workers=Case(When(owner="", then=F("lost_workers")), default=F("lost_workers") + 1),
                owner=self.owner,
                lease_until=Now() + timedelta(seconds=lease_s),
                state=RunState.RUNNING.value,
                started_at=Coalesce("started_at", Now()),
            )
            if not won:
                return None
            run = self.run()
            self.epoch = run.epoch
            self._notify(run)
            self._record("claim", run, {"epoch": run.epoch, "owner": self.owner})
        return self.epoch

    def _requester_may(self) -> bool:
        """A run that has sent nothing yet ends where its requester lost the right to it."""
        run = self.run()
        if run.started_at is not None or run.state not in states.CLAIMABLE or requester_may_run(run):
            return True
        with transaction.atomic():
            ended = Run.objects.filter(pk=run.pk, started_at=None, state__in=states.CLAIMABLE).update(
                state=RunState.FAILED.value,
                unfinished_link=None,
                epoch=F("epoch") + 1,
                version=F("version") + 1,
                ended_at=Now(),
                outcome=f"{run.requested_by} may no longer run plans; nothing was sent.",
            )
            if ended:
                self._notify(self.run())
                self._record("refused", run, {"code": "requester_not_permitted"})
        return False

    @retry_on_rollback
    def renew(self, lease_s: float) -> None:
        """Hold on; raises StaleEpochError where the run was taken over."""
        lease = Now() + timedelta(seconds=lease_s)
        if not self._mine().update(lease_until=lease):
            raise StaleEpochError(self.run_id)

    @retry_on_rollback
    def release(self) -> None:
        """Let go, so that the next claim need not wait for the lease; harmless where it is gone."""
        self._mine().update(owner="", lease_until=None)

    def check(self) -> None:
        """Read the epoch afresh, just before a changing statement; raises StaleEpochError."""
        if not self._mine().filter(lease_until__gt=Now()).exists():
            raise StaleEpochError(self.run_id)

    @contextmanager
    def guard(self, **changes: Any) -> Iterator[None]:
        """One transaction that begins by proving, and locking, that the run is still ours.

        The run is locked before its link, and the audit's head last.
        """
        with transaction.atomic():
            if not self._mine().update(version=F("version") + 1, **changes):
                raise StaleEpochError(self.run_id)
            self._notify(self.run())
            yield

    def run(self) -> Run:
        """The run as it stands now."""
        return Run.objects.select_related("plan", "link").get(pk=self.run_id)

    # -- inside

    def _mine(self) -> Any:
        return Run.objects.filter(pk=self.run_id, epoch=self.epoch, state=RunState.RUNNING.value)

    def _notify(self, run: Run) -> None:
        events.run_updated(run_id=run.id, link_id=run.link_id, state=run.state, version=run.version)

    def _record(self, what: str, run: Run, facts: Mapping[str, Any]) -> None:
        audit.record(
            actor=run.requested_by,
            action=f"worker:run:{what}",
            link_id=run.link_id,
            run_id=run.id,
            target=run.plan_id,
            facts=facts,
            request_id=run.request_id,
        )
