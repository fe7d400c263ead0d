"""When each direction of links was proven: totals of a time, counted by the database, and the periods in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from django.conf import settings
from django.db.models import Count, DurationField, ExpressionWrapper, F, Max, Min, Q, QuerySet, Sum

from backend.clusters.models import Link
from backend.common.rest.outputs import filled
from backend.core.facts.stream_proof import Cause, sentence
from backend.core.topology import Direction
from backend.monitoring.models import ProofPeriod

MOST_PERIODS: Final = 200
"""So many periods of a direction are listed."""
MOST_GAPS: Final = 5
"""So many of the longest gaps stand in a report."""
_LENGTH: Final = ExpressionWrapper(F("ended_at") - F("began_at"), output_field=DurationField())
_NONE: Final = timedelta()
_PROVEN: Final = Q(cause="")


@dataclass(frozen=True, slots=True)
class ProofTotals:
    """For how long one direction was proven in a time; the rest was not, or nothing was recorded of it."""

    since: Annotated[datetime, "begin of the time; not before the link was registered"]
    until: Annotated[datetime, "end of the time; not after the last look at the direction, or the link's retirement"]
    recorded_since: Annotated[datetime | None, "from when on it is recorded; null: nothing is"]
    recorded_until: Annotated[datetime | None, "until when; behind that nobody looked"]
    proven_s: Annotated[float, "seconds in which it was proven"]
    not_proven_s: Annotated[float, "seconds in which it was not, or nobody looked"]
    unrecorded_s: Annotated[float, "seconds of which nothing is recorded; they are not proven"]
    gaps: Annotated[int, "times in which it was not proven"]
    transactions: Annotated[int, "transactions found on both sides, in all periods that are in the time or touch it"]
    compared: Annotated[int, "of these, how many were compared with their rows"]

    @property
    def proven_share(self) -> float | None:
        """Of the whole time, from 0 to 1; None where it is empty."""
        total_s = self.proven_s + self.not_proven_s + self.unrecorded_s
        return self.proven_s / total_s if total_s else None


@dataclass(frozen=True, slots=True)
class ProofPeriodShown:
    """A time in which a direction was proven, or not."""

    component = "ProofPeriod"

    began_at: Annotated[datetime, "its begin, or that of the time that was asked for"]
    ended_at: Annotated[datetime, "its end, or that of the time that was asked for"]
    cause: Annotated[Cause | None, "why it is not proven; null: it is"]
    sentence: Annotated[str, "the cause as a sentence; empty where it is proven"]
    transactions: Annotated[int, "transactions found on both sides in the whole of it"]
    compared: Annotated[int, "of these, how many were compared with their rows"]


@dataclass(frozen=True, slots=True)
class DirectionProof:
    """One direction as the link's roles are now; its history is that of its clusters, whatever it was called."""

    direction: Direction
    source_cluster: Annotated[str, "name of the cluster that it leads from"]
    receiving_cluster: Annotated[str, "name of the cluster that it leads to"]
    totals: ProofTotals
    proven_share: Annotated[float | None, "`proven_s` of the whole time, from 0 to 1; null: the time is empty"]
    periods: Annotated[tuple[ProofPeriodShown, ...], f"newest first, at most {MOST_PERIODS}"]
    left_out: Annotated[int, "how many older ones are not listed"]


@dataclass(frozen=True, slots=True)
class LinkProof:
    """When each direction of a link was proven."""

    directions: tuple[DirectionProof, ...]


@dataclass(slots=True)
class _Found:
    """What the database counted of one direction."""

    first: datetime | None = None
    last: datetime | None = None
    proven: timedelta = field(default_factory=timedelta)
    gaps: int = 0
    transactions: int = 0
    compared: int = 0


def link_proof(
    link: Link, since: datetime, until: datetime, now: datetime, directions: Collection[Direction] = tuple(Direction)
) -> LinkProof:
    """The directions asked for, in a time."""
    totals = proof_totals([link], since, until, now)
    return LinkProof(tuple(_shown(link, one, totals[link.pk, receiving_id(link, one)]) for one in directions))


def receiving_id(link: Link, direction: Direction) -> str:
    """The cluster that a direction leads to, as the roles are now."""
    return link.standby_cluster_id if direction is Direction.FORWARD else link.active_cluster_id


def proof_totals(
    links: Collection[Link], since: datetime, until: datetime, now: datetime
) -> dict[tuple[str, str], ProofTotals]:
    """By link and receiving cluster; two queries, however many links and periods there are."""
    found = _found([link.pk for link in links], since, until)
    return {
        key: _totals(link, found.get(key, _Found()), since, until, now)
        for link in links
        for key in ((link.pk, receiving_id(link, one)) for one in Direction)
    }


def _found(link_ids: Collection[str], since: datetime, until: datetime) -> dict[tuple[str, str], _Found]:
    touched = ProofPeriod.objects.filter(link__in=link_ids, began_at__lt=until)
    inside = Q(ended_at__gt=since)
    counted = (
        touched.filter(inside | Q(is_latest=True))
        .values("link_id", "receiving_cluster_id")
        .annotate(
            first=Min("began_at"),
            last=Max("ended_at"),
            proven=Sum(_LENGTH, filter=inside & _PROVEN),
            gaps=Count("pk", filter=inside & ~_PROVEN),
            found=Sum("transactions", filter=inside),
            rows=Sum("compared", filter=inside),
        )
    )
    by_direction = {(row["link_id"], row["receiving_cluster_id"]): _of(row) for row in counted}
    for row in touched.filter(inside, _PROVEN, Q(began_at__lt=since) | Q(ended_at__gt=until)):
        outside = max(_NONE, since - row.began_at) + max(_NONE, row.ended_at - until)
        by_direction[row.link_id, row.receiving_cluster_id].proven -= outside
    return by_direction


def _of(row: Mapping[str, Any]) -> _Found:
    counts = (row["found"] or 0, row["rows"] or 0)
    return _Found(row["first"], row["last"], row["proven"] or _NONE, row["gaps"], *counts)


def _totals(link: Link, found: _Found, since: datetime, until: datetime, now: datetime) -> ProofTotals:
    since = max(since, link.created_at)
    until = max(since, min(until, now, link.retired_at or now))
    looked = until if found.last is None else max(since, min(until, found.last))
    has_tail = (until - looked).total_seconds() > settings.HAWSER_PROVEN_WITHIN_S
    until = until if has_tail else looked
    recorded = None if found.first is None else min(until, max(since, found.first))
    unrecorded = (until if recorded is None else recorded) - since
    return ProofTotals(
        since=since,
        until=until,
        recorded_since=recorded,
        recorded_until=None if recorded is None else looked,
        proven_s=found.proven.total_seconds(),
        not_proven_s=max(0.0, (until - since - unrecorded - found.proven).total_seconds()),
        unrecorded_s=unrecorded.total_seconds(),
        gaps=found.gaps + has_tail,
        transactions=found.transactions,
        compared=found.compared,
    )


def _shown(link: Link, direction: Direction, totals: ProofTotals) -> DirectionProof:
    source, receiving = names_of(link, direction)
    rows = _periods(link, direction, totals)
    stored = [_clipped(row, totals) for row in rows.order_by("-began_at", "-pk")[:MOST_PERIODS]]
    shown = [_period(row, source, receiving) for row in (*_tail(totals), *stored)]
    return DirectionProof(
        direction=direction,
        source_cluster=source,
        receiving_cluster=receiving,
        totals=totals,
        proven_share=totals.proven_share,
        periods=tuple(shown),
        left_out=max(0, rows.count() - MOST_PERIODS),
    )


def _periods(link: Link, direction: Direction, totals: ProofTotals) -> QuerySet[ProofPeriod]:
    return ProofPeriod.objects.filter(
        link=link,
        receiving_cluster_id=receiving_id(link, direction),
        began_at__lt=totals.until,
        ended_at__gt=totals.since,
    )


def _tail(totals: ProofTotals) -> Iterator[ProofPeriod]:
    """What no monitor has stored yet."""
    looked = totals.recorded_until
    if looked is not None and looked < totals.until:
        yield ProofPeriod(cause=Cause.NOBODY_LOOKED, began_at=looked, ended_at=totals.until)


def _clipped(row: ProofPeriod, totals: ProofTotals) -> ProofPeriod:
    row.began_at, row.ended_at = max(totals.since, row.began_at), min(totals.until, row.ended_at)
    return row


def _period(row: ProofPeriod, source: str, receiving: str) -> ProofPeriodShown:
    cause = Cause(row.cause) if row.cause else None
    text = "" if cause is None else sentence(cause, source, receiving)
    return filled(ProofPeriodShown, row, cause=cause, sentence=text)


def longest_gaps(link: Link, direction: Direction, totals: ProofTotals) -> list[ProofPeriodShown]:
    """The longest gaps of a time, longest first."""
    source, receiving = names_of(link, direction)
    rows = _periods(link, direction, totals).exclude(_PROVEN).annotate(length=_LENGTH).order_by("-length", "-pk")
    found = [*_tail(totals), *(_clipped(row, totals) for row in rows[:MOST_GAPS])]
    found.sort(key=lambda row: row.began_at - row.ended_at)
    return [_period(row, source, receiving) for row in found[:MOST_GAPS]]


def names_of(link: Link, direction: Direction) -> tuple[str, str]:
    """Names of the clusters that a direction leads from and to."""
    sides = link.active_cluster.name, link.standby_cluster.name
    return sides if direction is Direction.FORWARD else sides[::-1]
