"""Whether a source can serve a replica by SOURCE_AUTO_POSITION=1, decided on sets of GTIDs alone.

With auto-position the replica names all that it has executed, and the source sends all else that it has. So the answer
is right only where that difference is exactly what the replica's side lacks: nothing of it was purged, nothing was
written on one side alone, and no number means two transactions. An unknown set never passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from backend.core.gtid_sets import MysqlGtidSet
from backend.core.plural import pluralize

NOTHING = MysqlGtidSet({})


class SetCode(StrEnum):
    """The outcome; all but the first are codes of findings that refuse."""

    SERVED = "gtid_set_served"
    UNKNOWN = "gtid_set_unknown"
    PURGED = "gtid_purged_needed"
    ERRANT = "gtid_errant"
    DIFFERS = "gtid_set_differs"


@dataclass(frozen=True, slots=True)
class ExecutedSets:
    """What both sides have executed; None is unknown.

    `applied` is gtid_executed of each node of the receiving side that was read, among them `replica`, which will ask,
    or the last known set of a node that is lost. `own` are the UUIDs under which the receiving side itself writes,
    `theirs` those of the source's side; `local` are those of `theirs` under which one node alone writes, past its
    cluster. Of other sides' transactions the applied sets are those from before the source was read, of their own from
    after it: neither then lacks what it had when the source was asked.
    """

    replica: str
    source: str
    receiving: str
    applied: Mapping[str, MysqlGtidSet] | None
    executed: MysqlGtidSet | None
    purged: MysqlGtidSet | None
    own: frozenset[str]
    theirs: frozenset[str]
    local: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class AutoPosition:
    """What a search with auto-position reads besides the logs; `is_moving`: the channel still applied meanwhile."""

    sets: ExecutedSets
    is_moving: bool


@dataclass(frozen=True, slots=True)
class SetDecision:
    """The outcome with its sentence; `named` are the transactions it is about, `gap` those that would be sent."""

    code: SetCode
    sentence: str
    remedy: str = ""
    named: MysqlGtidSet = NOTHING
    gap: MysqlGtidSet = NOTHING

    @property
    def gap_transactions(self) -> int:
        """How many transactions the source would send."""
        return self.gap.count


def decide(sets: ExecutedSets) -> SetDecision:
    """The first reason that refuses, or what the source would send."""
    applied = None if sets.applied is None else sets.applied.get(sets.replica)
    if sets.applied is None or applied is None or sets.executed is None or sets.purged is None:
        return _unknown(sets)
    gap = sets.executed.minus(applied)
    reasons = (_not_apart(sets), *_faults(sets, applied, sets.executed, sets.purged, gap))
    refusal = next(filter(None, reasons), None)
    if refusal is not None:
        return refusal
    would_send = f"{pluralize(gap.count, 'transaction')}: {gap.shortened()}" if gap.count else "nothing: it has no more"
    sentence = (
        f"{sets.replica} has executed all that {sets.source} purged, and nothing that {sets.source} lacks but what "
        f"{sets.receiving} wrote itself. {sets.source} would send {would_send}."
    )
    return SetDecision(SetCode.SERVED, sentence, gap=gap)


def _faults(
    sets: ExecutedSets, applied: MysqlGtidSet, executed: MysqlGtidSet, purged: MysqlGtidSet, gap: MysqlGtidSet
) -> Iterator[SetDecision | None]:
    yield _nodes_differ(sets, applied)
    yield _purged(sets, purged.minus(applied))
    yield _errant(sets, applied.minus(executed).without_sources(sets.own))
    yield _own_missing(sets, gap.of_sources(sets.own))
    yield _local(sets, gap.of_sources(sets.local))
    yield _out_of_order(sets, gap.minus(gap.beyond(applied)))


def _unknown(sets: ExecutedSets) -> SetDecision:
    unread = f"gtid_executed of {sets.replica}"
    if sets.applied is not None and sets.replica in sets.applied:
        unread = f"{'gtid_executed' if sets.executed is None else 'gtid_purged'} of {sets.source}"
    return SetDecision(
        SetCode.UNKNOWN,
        f"{unread} could not be read, so it is unknown what {sets.source} would send.",
        "Check that both nodes respond and run with gtid_mode=ON, then create a new plan.",
    )


def _not_apart(sets: ExecutedSets) -> SetDecision | None:
    """A copied server keeps its UUID, and a copied cluster its own: one GTID then names two transactions."""
    if not sets.own or not sets.theirs:
        sentence = f"The UUIDs under which {sets.receiving} and the side of {sets.source} write are unknown."
        return SetDecision(SetCode.UNKNOWN, sentence, "Check that every node reports server_uuid and its state UUID.")
    shared = sets.own & sets.theirs
    if not shared:
        return None
    sentence = (
        f"Both sides write under {', '.join(sorted(shared))}, as after one was copied from the other. One GTID may "
        "name two transactions, and a replica skips what it takes for executed."
    )
    remedy = "Give each server a server_uuid of its own (auto.cnf), and each cluster a state UUID of its own."
    return SetDecision(SetCode.UNKNOWN, sentence, remedy)


def _nodes_differ(sets: ExecutedSets, applied: MysqlGtidSet) -> SetDecision | None:
    """What one node counts as executed and its neighbours do not was applied, or skipped, on one of them alone."""
    foreign = applied.without_sources(sets.own)
    for name, other in (sets.applied or {}).items():
        theirs = other.without_sources(sets.own)
        differing = theirs.minus(foreign).plus(foreign.minus(theirs))
        if differing.count:
            return SetDecision(
                SetCode.DIFFERS,
                f"{sets.replica} and {name} differ in {_named(differing)}. It was applied or skipped on one of them "
                "alone, or its GTID was set by hand.",
                "Compare the data of both nodes. Give the wrong one a full state transfer (SST) from the right one, or "
                f"choose another node of {sets.receiving}.",
                differing,
            )
    return None


def _purged(sets: ExecutedSets, missing: MysqlGtidSet) -> SetDecision | None:
    if not missing.count:
        return None
    return SetDecision(
        SetCode.PURGED,
        f"{sets.source} has purged {_named(missing)}, which {sets.replica} has not executed. It would refuse to send "
        "anything (error 1236).",
        f"Choose a source whose binary logs reach back further, or copy {sets.receiving} again.",
        missing,
    )


def _errant(sets: ExecutedSets, errant: MysqlGtidSet) -> SetDecision | None:
    if not errant.count:
        return None
    return SetDecision(
        SetCode.ERRANT,
        f"{sets.replica} has executed {_named(errant)}, which {sets.source} has not and {sets.receiving} did not "
        f"write. {sets.source} is behind, or that was written on another server alone.",
        "Choose another source node. Where no node has it, compare the data, then commit empty transactions under "
        f"these GTIDs on {sets.source}.",
        errant,
    )


def _own_missing(sets: ExecutedSets, lost: MysqlGtidSet) -> SetDecision | None:
    """Its number is given out again after a lost commit, and names another transaction on each side from then on."""
    if not lost.count:
        return None
    return SetDecision(
        SetCode.DIFFERS,
        f"{sets.source} has {_named(lost)} that {sets.receiving} wrote and {sets.replica} has not. One node wrote it "
        "past its cluster, or a crash lost commits: these numbers may then be given out again.",
        f"Compare the data of both sides. Give {sets.replica} a full state transfer (SST) if a neighbour has them.",
        lost,
    )


def _local(sets: ExecutedSets, local: MysqlGtidSet) -> SetDecision | None:
    """Written under a server's own UUID: it never went through Galera."""
    if not local.count:
        return None
    return SetDecision(
        SetCode.ERRANT,
        f"{sets.source} would send {_named(local)} that one node wrote past its cluster: its neighbours have it not.",
        "Choose another source node, or compare the data and remove what one node alone has.",
        local,
    )


def _out_of_order(sets: ExecutedSets, holes: MysqlGtidSet) -> SetDecision | None:
    """A channel by position goes on after the last transaction; auto-position would fetch this one, too."""
    if not holes.count:
        return None
    return SetDecision(
        SetCode.DIFFERS,
        f"{sets.replica} lacks {_named(holes)}, although it has executed later ones of the same origin. It was "
        "skipped, or applied out of order.",
        "Find out why it is missing (replica_preserve_commit_order, skipped errors) and correct the data first.",
        holes,
    )


def _named(found: MysqlGtidSet) -> str:
    return f"{pluralize(found.count, 'transaction')} ({found.shortened()})"
