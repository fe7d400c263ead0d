"""What a run lost, told with its certainty: only a verified run that lost nothing says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from backend.core.history.stored_run import StoredRun
from backend.core.plural import pluralize

_UNCOUNTED: Final = frozenset(
    {"failover", "remove_channels", "fence_returned_side", "configure", "rotate_passwords", "fence_standby"}
)
"""Kinds whose verification proves no continuity: their zero is a statement of the plan."""


class LossState(StrEnum):
    """How the loss is known."""

    NONE_VERIFIED = "none_verified"
    COUNTED = "counted"
    STATED = "stated"
    UNKNOWN = "unknown"
    NOT_STARTED = "not_started"


@dataclass(frozen=True, slots=True)
class ReportedLoss:
    """The loss of a run; `transactions` and `seconds` are None where they are unknown."""

    state: LossState
    sentence: str
    transactions: int | None = None
    seconds: float | None = None


def loss_of(run: StoredRun) -> ReportedLoss:
    """A count after the drain goes before the bound that the plan stated."""
    if not run.is_begun:
        return ReportedLoss(LossState.NOT_STARTED, "No step was started, so nothing was lost")
    counted = _counted(run)
    if counted is not None:
        return counted
    stated = run.plan.get("loss") or {}
    transactions, seconds = stated.get("transactions"), stated.get("seconds")
    if run.state != "succeeded":
        return ReportedLoss(LossState.UNKNOWN, "Loss unknown: the run did not reach its verification")
    if transactions is None:
        return ReportedLoss(LossState.UNKNOWN, "Loss unknown")
    if transactions == 0 and run.kind not in _UNCOUNTED:
        if run.is_verified:
            return ReportedLoss(LossState.NONE_VERIFIED, "Nothing lost, verified", 0, 0.0)
        return ReportedLoss(
            LossState.STATED, "The plan stated no loss; the result was verified only in part", 0, seconds
        )
    detail = " ".join(str(stated.get("detail") or _amount(transactions, seconds)).split()).rstrip(".")
    return ReportedLoss(LossState.STATED, f"Not counted; the plan stated: {detail}", transactions, seconds)


def _counted(run: StoredRun) -> ReportedLoss | None:
    """What a failover counted after its drain; None of every other run. Later writes of the lost side are unknown."""
    step = next((step for step in run.steps if step.code == "record_divergence" and step.is_done), None)
    if step is None:
        return None
    divergence: Mapping[str, Any] = step.facts.get("divergence") or {}
    transactions, seconds = divergence.get("lost_transactions"), divergence.get("lost_s")
    if transactions is None:
        return ReportedLoss(LossState.UNKNOWN, "Loss unknown: it could not be counted after the drain", None, seconds)
    if transactions == 0:
        sentence = "No known transaction was lost; what the lost side wrote after it was last read is unknown"
        return ReportedLoss(LossState.COUNTED, sentence, 0, seconds)
    sentence = f"{_amount(transactions, seconds)} lost; later writes of the lost side are unknown"
    return ReportedLoss(LossState.COUNTED, sentence, transactions, seconds)


def _amount(transactions: int, seconds: float | None) -> str:
    text = pluralize(transactions, "known transaction")
    return text if seconds is None or transactions == 0 else f"{text} ({seconds:g} s)"
