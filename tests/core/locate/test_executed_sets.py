"""Whether a source can serve a replica by sets of GTIDs, against a model of single transactions."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.gtid_sets import MysqlGtid, MysqlGtidSet
from backend.core.locate.executed_sets import ExecutedSets, SetCode, decide

A, B, LOCAL, OTHER = (f"57e801c0-e9a7-11f1-a3b8-02fc0000000{number}" for number in range(1, 5))
SOURCES = [(A, ""), (A, "blue"), (B, ""), (LOCAL, ""), (OTHER, "")]
MEMBERS = st.builds(lambda source, number: MysqlGtid(*source, number), st.sampled_from(SOURCES), st.integers(1, 6))
ANY = st.frozensets(MEMBERS, max_size=14)


def of(members: frozenset[MysqlGtid] | set[MysqlGtid]) -> MysqlGtidSet:
    """The set of single transactions."""
    return MysqlGtidSet.of(((one.uuid, one.tag), (one.number, one.number)) for one in members)


def sets(applied: str = "", executed: str = "", purged: str = "") -> ExecutedSets:
    """Two clusters of one UUID each: B is the receiving one, and a2 writes under LOCAL what its cluster never gets."""
    return ExecutedSets(
        replica="b2",
        source="a2",
        receiving="cluster-b",
        applied={"b2": MysqlGtidSet.parse(applied)},
        executed=MysqlGtidSet.parse(executed),
        purged=MysqlGtidSet.parse(purged),
        own=frozenset({B}),
        theirs=frozenset({A, LOCAL}),
        local=frozenset({LOCAL}),
    )


def expected(
    applied: frozenset[MysqlGtid], peer: frozenset[MysqlGtid], executed: frozenset[MysqlGtid], purged: set[MysqlGtid]
) -> SetCode:
    """The same decision, one transaction after the other."""
    gap = executed - applied
    last = {source: max((g.number for g in applied if (g.uuid, g.tag) == source), default=0) for source in SOURCES}
    if {g for g in applied if g.uuid != B} != {g for g in peer if g.uuid != B}:
        return SetCode.DIFFERS
    if purged - applied:
        return SetCode.PURGED
    if any(g.uuid != B for g in applied - executed):
        return SetCode.ERRANT
    if any(g.uuid == B for g in gap):
        return SetCode.DIFFERS
    if any(g.uuid == LOCAL for g in gap):
        return SetCode.ERRANT
    return SetCode.DIFFERS if any(g.number <= last[g.uuid, g.tag] for g in gap) else SetCode.SERVED


@given(ANY, ANY, st.booleans(), ANY, ANY)
def test_decide__any_sets__as_the_model_of_single_transactions(
    applied: frozenset[MysqlGtid],
    more: frozenset[MysqlGtid],
    is_peer_equal: bool,
    other: frozenset[MysqlGtid],
    purged: frozenset[MysqlGtid],
) -> None:
    peer = applied if is_peer_equal else more
    executed = applied | other if len(other) % 2 else other
    gone = executed & purged
    asked = replace(sets(), applied={"b2": of(applied), "b3": of(peer)}, executed=of(executed), purged=of(gone))
    found = decide(asked)
    assert found.code is expected(applied, peer, executed, set(gone))
    if found.code is SetCode.SERVED:
        assert found.gap_transactions == len(executed - applied)
        assert {g for g in executed - applied if g.uuid in (B, LOCAL)} == set()


@given(ANY, ANY)
def test_decide__served__afterwards_the_replica_has_each_once(
    applied: frozenset[MysqlGtid], more: frozenset[MysqlGtid]
) -> None:
    executed = {g for g in applied | more if g.uuid != LOCAL or g in applied}
    found = decide(replace(sets(), applied={"b2": of(applied)}, executed=of(executed)))
    if found.code is SetCode.SERVED:
        assert of(applied).plus(found.gap) == of(applied | executed)
        assert found.gap.minus(of(applied)) == found.gap


def test_decide__replica_behind__served_with_the_gap_counted() -> None:
    found = decide(sets(f"{A}:1-5:blue:1,{B}:1-3", f"{A}:1-9:blue:1-2,{B}:1-2", f"{A}:1-2"))
    assert (found.code, found.gap_transactions) == (SetCode.SERVED, 5)
    assert str(found.gap) == f"{A}:6-9,{A}:blue:2"


def test_decide__nothing_to_send__served() -> None:
    found = decide(sets(f"{A}:1-5,{B}:1-3", f"{A}:1-5"))
    assert (found.code, found.gap_transactions) == (SetCode.SERVED, 0)
    assert "nothing: it has no more" in found.sentence


@pytest.mark.parametrize(
    ("code", "named", "asked"),
    [
        (SetCode.PURGED, f"{A}:4-6", sets(f"{A}:1-3", f"{A}:1-9", f"{A}:1-6")),
        (SetCode.PURGED, f"{A}:blue:1", sets(f"{A}:1-9", f"{A}:1-9:blue:1", f"{A}:1-9:blue:1")),
        (SetCode.ERRANT, f"{A}:9", sets(f"{A}:1-9", f"{A}:1-8")),
        (SetCode.ERRANT, f"{OTHER}:1", sets(f"{A}:1-9,{OTHER}:1", f"{A}:1-9")),
        (SetCode.ERRANT, f"{A}:blue:1", sets(f"{A}:1-9:blue:1", f"{A}:1-9")),
        (SetCode.ERRANT, f"{LOCAL}:1-2", sets(f"{A}:1-9", f"{A}:1-9,{LOCAL}:1-2")),
        (SetCode.DIFFERS, f"{B}:3", sets(f"{A}:1-9,{B}:1-2", f"{A}:1-9,{B}:1-3")),
        (SetCode.DIFFERS, f"{A}:4", sets(f"{A}:1-3:5-9", f"{A}:1-9")),
    ],
)
def test_decide__each_fault__refused_with_the_transactions_named(
    code: SetCode, named: str, asked: ExecutedSets
) -> None:
    found = decide(asked)
    assert (found.code, str(found.named)) == (code, named)
    assert named in found.sentence
    assert found.remedy


@pytest.mark.parametrize("peer", [f"{A}:1-8", f"{A}:1-10"])
def test_decide__neighbour_counts_another_transaction__refused(peer: str) -> None:
    applied = {"b2": MysqlGtidSet.parse(f"{A}:1-9,{B}:1"), "b3": MysqlGtidSet.parse(f"{peer},{B}:1-2")}
    found = decide(replace(sets(executed=f"{A}:1-10"), applied=applied))
    assert found.code is SetCode.DIFFERS
    assert "b2 and b3 differ in 1 transaction" in found.sentence


@pytest.mark.parametrize(
    "unknown",
    [
        {"applied": None},
        {"applied": {}},
        {"executed": None},
        {"purged": None},
        {"own": frozenset()},
        {"theirs": frozenset()},
        {"theirs": frozenset({A, B})},
    ],
)
def test_decide__anything_unknown__never_passes(unknown: dict[str, object]) -> None:
    known = sets(f"{A}:1-9", f"{A}:1-9")
    assert decide(replace(known, **unknown)).code is SetCode.UNKNOWN  # type: ignore[arg-type]


def test_decide__very_many_intervals__sentence_stays_short() -> None:
    scattered = ":".join(str(number) for number in range(1, 4_000, 2))
    found = decide(sets(f"{OTHER}:{scattered}", f"{A}:1"))
    assert found.code is SetCode.ERRANT
    assert "2,000 transactions" in found.sentence
    assert "and 1,996 more intervals" in found.sentence
    assert len(found.sentence) < 500
