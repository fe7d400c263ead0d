"""How long a failover of a link takes and what it loses, as far as that is known: with its source and its time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Source(StrEnum):
    """From what a figure is known."""

    OBSERVED = "observed"
    RUN = "run"
    REHEARSAL = "rehearsal"


@dataclass(frozen=True, slots=True)
class Recovery:
    """What one source says of a failover; a figure is None where it is unknown. `id` is that of the source."""

    source: Source
    at: datetime
    id: str = ""
    recovery_s: float | None = None
    transactions: int | None = None
    loss_s: float | None = None


def recovery_time(known: list[Recovery]) -> dict[str, Any] | None:
    """The time of the newest source that has one; None: unknown."""
    newest = _newest(one for one in known if one.recovery_s is not None)
    return None if newest is None else {"seconds": newest.recovery_s, **_source(newest)}


def recovery_point(known: list[Recovery]) -> dict[str, Any] | None:
    """The loss that is observed now, else that of the newest other source; None: unknown."""
    counted = [one for one in known if one.transactions is not None]
    now = _newest(one for one in counted if one.source is Source.OBSERVED)
    best = now or _newest(counted)
    return None if best is None else {"transactions": best.transactions, "seconds": best.loss_s, **_source(best)}


def _newest(known: Iterable[Recovery]) -> Recovery | None:
    return max(known, key=lambda one: one.at, default=None)


def _source(one: Recovery) -> dict[str, Any]:
    return {"source": one.source.value, "at": one.at, "source_id": one.id or None}
