"""What a run lost, told with its certainty: only a verified run that lost nothing says so.

Of a failover that is first a lower bound, from what was read of the lost side. It is rewritten once the orphans of the
side that returned are counted, and again when a reprotect has decided about them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any

from backend.core.history.stored_run import StoredRun
from backend.core.known_groups import time_text
from backend.core.orphans.outcome import OrphanOutcome, outcome_from, outcome_of
from backend.core.plans.kinds import OPERATIONS
from backend.core.plural import pick, pluralize


class LossState(StrEnum):
    """How the loss is known. COUNTED: a lower bound, as read of a lost side; ORPHANED, SETTLED: by its orphans."""

    NONE_VERIFIED = "none_verified"
    COUNTED = "counted"
    ORPHANED = "orphaned"
    SETTLED = "settled"
    STATED = "stated"
    UNKNOWN = "unknown"
    NOT_STARTED = "not_started"


class CountedBy(StrEnum):
    """What was counted: what was read of the lost side's logs before it was lost, or the logs of the returned side."""

    LOGS_READ = "logs_read"
    ORPHANS = "orphans"


@dataclass(frozen=True, slots=True)
class ReportedLoss:
    """What was lost, and how that is known; null = unknown."""

    state: LossState
    sentence: str
    transactions: Annotated[int | None, "lost as far as known: `at_least`, unless `is_exact`"] = None
    seconds: float | None = None
    at_least: Annotated[int | None, "a lower bound of the loss"] = None
    read_at: Annotated[datetime | None, "when the side that was counted was last read"] = None
    is_exact: Annotated[bool, "whether the loss cannot be more"] = False
    counted_by: Annotated[
        CountedBy | None,
        "what was read of the lost side, or the orphaned transactions of the side that returned",
    ] = None
    orphaned: Annotated[int | None, "transactions that only the lost side had"] = None
    replayed: Annotated[int | None, "of these the ones that were replayed"] = None


def loss_of(run: StoredRun) -> ReportedLoss:
    """What is known of orphans goes before a count after the drain, and that before what the plan stated."""
    if not run.is_begun:
        return ReportedLoss(LossState.NOT_STARTED, "No step was started, so nothing was lost")
    counted = _settled(run) or _counted(run)
    if counted is not None:
        return counted
    stated = run.plan.get("loss") or {}
    transactions, seconds = stated.get("transactions"), stated.get("seconds")
    if run.state != "succeeded":
        return ReportedLoss(LossState.UNKNOWN, "Loss unknown: the run did not reach its verification")
    if transactions is None:
        return ReportedLoss(LossState.UNKNOWN, "Loss unknown")
    if transactions == 0 and _is_counted(run.kind):
        if run.is_verified:
            return ReportedLoss(LossState.NONE_VERIFIED, "Nothing lost, verified", 0, 0.0, 0, is_exact=True)
        return ReportedLoss(
            LossState.STATED, "The plan stated no loss; the result was verified only in part", 0, seconds
        )
    detail = " ".join(str(stated.get("detail") or _amount(transactions, seconds)).split()).rstrip(".")
    return ReportedLoss(LossState.STATED, f"Not counted; the plan stated: {detail}", transactions, seconds)


def stated_loss(kind: str, loss: Mapping[str, Any]) -> dict[str, Any]:
    """The loss that a plan states, with how it is known; plans of earlier releases tell nothing of that."""
    transactions = loss.get("transactions")
    return {
        "transactions": transactions,
        "seconds": loss.get("seconds"),
        "detail": loss.get("detail", ""),
        "at_least": loss.get("at_least", transactions),
        "read_at": _moment(loss.get("read_at_s")),
        "is_exact": loss.get("is_exact", transactions is not None and _is_counted(kind)),
        "counted_by": loss.get("counted_by"),
    }


def _settled(run: StoredRun) -> ReportedLoss | None:
    """What a reprotect did with the orphans, told of it and of the failover that made them."""
    if run.kind == "reprotect" and run.state == "succeeded":
        done = outcome_of(run.plan)
        return None if done is None or done.orphaned == 0 else _of_outcome(done)
    recorded = run.divergence or {}
    done = outcome_from(recorded.get("outcome"))
    if done is not None:
        return _of_outcome(done, recorded.get("orphans_read_at_s"))
    orphaned = recorded.get("orphaned")
    if orphaned is None:
        return None
    if orphaned == 0:
        sentence = "Nothing lost: the side that returned has no orphaned transaction"
    else:
        sentence = (
            f"{pluralize(orphaned, 'orphaned transaction')} on the side that returned, all counted. They are lost "
            "unless they are replayed"
        )
    return ReportedLoss(
        LossState.ORPHANED,
        sentence,
        orphaned,
        at_least=orphaned,
        read_at=_moment(recorded.get("orphans_read_at_s")),
        is_exact=True,
        counted_by=CountedBy.ORPHANS,
        orphaned=orphaned,
    )


def _of_outcome(done: OrphanOutcome, read_at_s: float | None = None) -> ReportedLoss:
    return ReportedLoss(
        LossState.SETTLED,
        done.sentence,
        done.lost,
        at_least=done.lost,
        read_at=_moment(read_at_s),
        is_exact=done.lost is not None,
        counted_by=CountedBy.ORPHANS,
        orphaned=done.orphaned,
        replayed=done.replayed,
    )


def _counted(run: StoredRun) -> ReportedLoss | None:
    """What a failover counted after its drain; None of every other run. Later writes of the lost side are unknown."""
    step = next((step for step in run.steps if step.code == "record_divergence" and step.is_done), None)
    if step is None:
        return None
    divergence: Mapping[str, Any] = step.facts.get("divergence") or {}
    transactions, seconds = divergence.get("lost_transactions"), divergence.get("lost_s")
    lost, read_at_s = step.params.get("lost_name") or "the lost side", divergence.get("last_seen_at_s")
    until = "" if read_at_s is None else f" (read up to {time_text(read_at_s)})"
    later = f"When {lost} returns, all are counted and can be replayed"
    if transactions is None:
        sentence = f"Loss unknown: nothing that was read of {lost} could be compared with the last applied transaction"
        return ReportedLoss(LossState.UNKNOWN, f"{sentence}. {later}", None, seconds, read_at=_moment(read_at_s))
    if transactions == 0:
        sentence = f"Every known transaction of {lost}{until} has arrived; what it wrote later is unknown"
    else:
        count = pluralize(transactions, "transaction")
        are = pick(transactions, "has", "have")
        sentence = f"At least {count} of {lost}{until} {are} not arrived; not yet counted exactly"
    return ReportedLoss(
        LossState.COUNTED,
        f"{sentence}. {later}",
        transactions,
        seconds,
        transactions,
        _moment(read_at_s),
        counted_by=CountedBy.LOGS_READ,
    )


def _moment(at_s: float | None) -> datetime | None:
    return None if at_s is None else datetime.fromtimestamp(at_s, UTC)


def _amount(transactions: int, seconds: float | None) -> str:
    text = pluralize(transactions, "known transaction")
    return text if seconds is None or transactions == 0 else f"{text} ({seconds:g} s)"


def _is_counted(kind: str) -> bool:
    """Whether its zero is more than a statement of the plan."""
    return kind not in OPERATIONS or OPERATIONS[kind].proves_continuity
