"""What the last failover of each link achieved. A finished run never changes, so each is read once by a process."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from django.core.cache import caches
from django.db.models import OuterRef, Subquery

from backend.clusters.models import Link
from backend.core.history.loss import loss_of
from backend.core.history.stored_run import StoredRun
from backend.core.history.times import recovery_s
from backend.core.reports.recovery_summary import Recovery, Source
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.stored_run import stored_runs, with_everything_told

CACHE: Final = "achieved"
KIND: Final = "failover"


def achieved_by_link() -> dict[str, Recovery]:
    """What the last successful failover of each link took and lost; only those not seen before are read whole."""
    newest = dict(_newest_runs())
    cached: dict[str, Recovery] = caches[CACHE].get_many(newest.values())
    fresh = {run.id: _achieved(run) for run in _read(set(newest.values()) - cached.keys())}
    caches[CACHE].set_many(fresh, timeout=None)
    known = cached | fresh
    return {link_id: known[run_id] for link_id, run_id in newest.items()}


def _newest_runs() -> Iterable[tuple[str, str]]:
    done = Run.objects.filter(link_id=OuterRef("pk"), kind=KIND, state=RunState.SUCCEEDED.value)
    links = Link.objects.filter(retired_at=None)
    newest = links.annotate(newest=Subquery(done.order_by("-created_at", "-id").values("pk")[:1]))
    return newest.exclude(newest=None).values_list("pk", "newest")


def _read(run_ids: Collection[str]) -> Iterable[StoredRun]:
    return stored_runs(with_everything_told(Run.objects.filter(pk__in=run_ids))) if run_ids else ()


def _achieved(run: StoredRun) -> Recovery:
    loss = loss_of(run)
    return Recovery(
        source=Source.RUN,
        at=run.ended_at or run.created_at,
        id=run.id,
        recovery_s=recovery_s(run),
        transactions=loss.transactions,
        loss_s=loss.seconds,
    )
