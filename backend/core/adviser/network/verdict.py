"""Whether a Galera cluster may span the two sites, from what was measured; every reason carries its figures.

A refusal needs one fact, a permission needs all of them: what is unknown never passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from backend.core.adviser.network.evidence import Evidence, Figure
from backend.core.adviser.network.limits import (
    COMMIT_ROUND_TRIPS,
    LARGE_WRITE_SET_BYTES,
    LARGE_WRITE_SET_COMMITS,
    LEAST_PACKETS,
    LINE_SHARE,
    LOCAL_MBIT_S,
    LOCAL_ROUND_TRIP_MS,
    LOSS_NOTED_PERCENT,
    MAX_LOSS_PERCENT,
    TAIL_COMMITS,
    WIRE_FACTOR,
)
from backend.core.adviser.network.values import shown


class Kind(StrEnum):
    """The four answers."""

    SYNCHRONOUS = "synchronous"
    SEGMENTS = "synchronous_with_segments"
    ASYNCHRONOUS = "asynchronous"
    UNKNOWN = "unknown"


class Effect(StrEnum):
    """What a reason speaks for."""

    FOR = "for"
    AGAINST = "against"
    NOTE = "note"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class NetworkReason:
    """One fact with its figures, and what it speaks for."""

    code: str
    effect: Effect
    sentence: str


@dataclass(frozen=True, slots=True)
class Demand:
    """What the applications need; the rate is of write-sets at their peak, None where it is unknown."""

    max_commit_ms: float = 25.0
    peak_write_mbit_s: float | None = None
    remote_nodes: int = 1


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer and all its reasons."""

    kind: Kind
    sentence: str
    reasons: tuple[NetworkReason, ...]


_SENTENCES = {
    Kind.SYNCHRONOUS: "One Galera cluster can span this distance.",
    Kind.SEGMENTS: "One Galera cluster can span this distance, with a segment for each site.",
    Kind.ASYNCHRONOUS: "Keep two clusters with an asynchronous link over this distance.",
    Kind.UNKNOWN: "Not enough was measured to say whether one Galera cluster can span this distance.",
}


def judge(evidence: Evidence, demand: Demand) -> Verdict:
    """Judge by the worst figure that was measured of each fact."""
    reasons = (
        *_commit(evidence, demand),
        *_write_sets(evidence, demand),
        *_loss(evidence),
        *_line(evidence, demand),
    )
    kind = _kind(reasons, evidence, demand)
    return Verdict(kind, _SENTENCES[kind], reasons)


def _kind(reasons: Sequence[NetworkReason], evidence: Evidence, demand: Demand) -> Kind:
    effects = {reason.effect for reason in reasons}
    if Effect.AGAINST in effects:
        return Kind.ASYNCHRONOUS
    if Effect.MISSING in effects:
        return Kind.UNKNOWN
    return Kind.SYNCHRONOUS if _is_local(evidence, demand) else Kind.SEGMENTS


def _is_local(evidence: Evidence, demand: Demand) -> bool:
    """Whether each remote node may get its own copy: a line like a local one, with room for all copies."""
    trip, line = evidence.round_trip_tail, evidence.narrowest
    if trip is None or line is None or trip.value > LOCAL_ROUND_TRIP_MS or line.value < LOCAL_MBIT_S:
        return False
    return demand.peak_write_mbit_s is None or _needed(demand, demand.remote_nodes) <= line.value * LINE_SHARE


def _needed(demand: Demand, copies: int) -> float:
    return (demand.peak_write_mbit_s or 0.0) * WIRE_FACTOR * copies


def _commit(evidence: Evidence, demand: Demand) -> list[NetworkReason]:
    """The least that any commit costs, which a plain round trip already tells."""
    trip, most = evidence.round_trip, demand.max_commit_ms
    if trip is None:
        return [_missing("round_trip", "The round trip between the sites is unknown. Run the probe.")]
    commit = trip.value * COMMIT_ROUND_TRIPS
    fits = commit <= most
    sentence = (
        f"A round trip takes {_ms(trip)}, so a commit takes at least {shown(round(commit, 2))} ms; "
        f"{'that is within' if fits else 'more than'} the {shown(most)} ms that your applications accept."
    )
    found = [NetworkReason("commit_time", Effect.FOR if fits else Effect.AGAINST, sentence)]
    return [*found, *_tail(evidence, most)]


def _tail(evidence: Evidence, most: float) -> list[NetworkReason]:
    tail, limit = evidence.round_trip_tail, most * TAIL_COMMITS
    if tail is None:
        return [_missing("round_trip_tail", "No p95 of the round trip was measured. Run the probe: it shows loss.")]
    fits = tail.value <= limit
    sentence = (
        f"One round trip in twenty takes {_ms(tail)} or more; {_against(limit, fits)}, "
        f"{TAIL_COMMITS:g} times an accepted commit."
    )
    return [NetworkReason("round_trip_tail", Effect.FOR if fits else Effect.AGAINST, sentence)]


def _write_sets(evidence: Evidence, demand: Demand) -> list[NetworkReason]:
    """A ping looks harmless, a write-set does not."""
    found = []
    small, large = evidence.small_write_set, evidence.large_write_set
    small_limit, large_limit = demand.max_commit_ms * TAIL_COMMITS, demand.max_commit_ms * LARGE_WRITE_SET_COMMITS
    for code, figure, limit, size in (
        ("small_write_set", small, small_limit, "32 KB"),
        ("large_write_set", large, large_limit, f"{LARGE_WRITE_SET_BYTES // 1024} KB or more"),
    ):
        if figure is None:
            found.append(_missing(code, f"No exchange of {size} was measured. Run the probe."))
            continue
        fits = figure.value <= limit
        sentence = (
            f"A write-set of {figure.of} takes {_ms(figure)} to the other site and back; {_against(limit, fits)}."
        )
        found.append(NetworkReason(code, Effect.FOR if fits else Effect.AGAINST, sentence))
    return found


def _loss(evidence: Evidence) -> list[NetworkReason]:
    loss = evidence.loss
    if loss is None:
        return [_missing("loss", f"No loss was counted over {LEAST_PACKETS} packets or more. Run the probe.")]
    sentence = f"{shown(loss.value)} % of the packets were lost or sent again ({loss.source})"
    if loss.value >= MAX_LOSS_PERCENT:
        sentence += (
            f"; from {MAX_LOSS_PERCENT:g} % on, the slow commits take twice as long, and larger windows gain nothing."
        )
        return [NetworkReason("loss", Effect.AGAINST, sentence)]
    if loss.value >= LOSS_NOTED_PERCENT:
        sentence += "; p95 and p99 of a commit show it, the median does not."
        return [NetworkReason("loss", Effect.NOTE, sentence)]
    return [NetworkReason("loss", Effect.FOR, f"{sentence}.")]


def _line(evidence: Evidence, demand: Demand) -> list[NetworkReason]:
    line = evidence.narrowest
    if line is None:
        return [_missing("throughput", "The throughput is unknown in a direction. Run the probe.")]
    carries = f"The narrower direction carries {shown(round(line.value, 1))} Mbit/s ({line.source})"
    if demand.peak_write_mbit_s is None:
        sentence = f"{carries}. The peak rate of write-sets is unknown, so nothing follows for the load of the line."
        return [NetworkReason("throughput", Effect.NOTE, sentence)]
    needed = _needed(demand, 1)
    fits = needed <= line.value * LINE_SHARE
    sentence = (
        f"{carries}; write-sets need {shown(round(needed, 1))} Mbit/s for each copy, and at most "
        f"{LINE_SHARE:.0%} of a line should be used."
    )
    return [NetworkReason("throughput", Effect.FOR if fits else Effect.AGAINST, sentence)]


def _missing(code: str, sentence: str) -> NetworkReason:
    return NetworkReason(code, Effect.MISSING, sentence)


def _against(limit: float, fits: bool) -> str:
    return f"that is {'within' if fits else 'more than'} the limit of {shown(limit)} ms"


def _ms(figure: Figure) -> str:
    return f"{shown(round(figure.value, 2))} ms ({figure.source})"
