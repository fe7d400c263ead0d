"""A cluster's absences: verdicts, missed write-sets and donors with their reasons."""

from __future__ import annotations

from dataclasses import replace

from backend.core.adviser.node_absence.donors import Context
from backend.core.adviser.node_absence.forecast import Verdict
from backend.core.adviser.node_absence.rates import Rate, Window
from backend.core.adviser.node_absence.summary import Absence, Position, absences
from backend.core.estimates import Unknown
from backend.core.topology import NodeFacts
from tests.core.node_absence.members import UUID, away, member

RATES: dict[Window, Rate | Unknown] = {Window.HOUR: Rate(10.0, 12_960.0, 3600.0)}
QUIET = Context(link_nodes={"n_b"}, own_share={"n_a": 0.9, "n_b": 0.1, "n_c": 0.0})


def third(*nodes: NodeFacts, last: Position | None = None, context: Context = QUIET) -> Absence:
    """The absence of the third node."""
    return absences(nodes, {} if last is None else {"n_c": last}, RATES, context)[2]


def test_member__may_leave_for_the_time_of_the_largest_gcache() -> None:
    found = third(member("a"), member("b", size="32M"), member("c"))
    assert (found.verdict, found.missed) == (Verdict.MEMBER, 0)
    assert found.times[Window.HOUR] == (25_420 - 198) / 10


def test_away__still_held__counts_what_it_missed() -> None:
    found = third(member("a"), member("b"), away("c"), last=Position(UUID, 20_000, 1.0))
    assert (found.verdict, found.missed) == (Verdict.IST, 5_918)
    assert found.times[Window.HOUR] == (20_001 - 13_206 - 99) / 10


def test_away__dropped__an_sst_now() -> None:
    found = third(member("a"), member("b"), away("c"), last=Position(UUID, 13_204, 1.0))
    assert (found.verdict, found.times[Window.HOUR]) == (Verdict.SST, 0.0)
    assert "no longer holds" in found.donors[0].reasons_against[-1]


def test_away__another_history__an_sst_whatever_the_number() -> None:
    found = third(member("a"), member("b"), away("c"), last=Position("22", 25_918, 1.0))
    assert (found.verdict, found.times[Window.HOUR]) == (Verdict.SST, 0.0)
    assert isinstance(found.missed, Unknown)


def test_away__never_counted__unknown_with_the_reason() -> None:
    found = third(member("a"), member("b"), away("c"))
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "The node was not read as a synced member in the last eight days."
    assert isinstance(found.times[Window.HOUR], Unknown)


def test_no_other_member__unknown_and_no_donor_is_advised() -> None:
    donor = member("a", state="Donor/Desynced", local_state=2)
    found = third(donor, away("b"), away("c"), last=Position(UUID, 1, 1.0))
    assert found.verdict is Verdict.UNKNOWN
    assert not any(one.is_possible or one.is_advised for one in found.donors)
    assert [one.reasons_against for one in found.donors] == [
        ("It is not Synced but Donor/Desynced.",),
        ("It cannot be read now.",),
    ]


def test_donors__neither_the_writer_nor_a_link_node_nor_another_segment() -> None:
    nodes = [member("a"), member("b"), member("c"), member("d"), member("e", segment="1")]
    context = replace(QUIET, own_share={**QUIET.own_share, "n_d": 0.0, "n_e": 0.0})
    found = absences(nodes, {}, RATES, context)[2].donors
    assert [one.node.node.name for one in found] == ["d", "a", "e", "b"]
    assert [one.is_advised for one in found] == [True, False, False, False]
    assert found[0].reasons_against == ()
    assert "90% of the last hour's bytes" in found[1].reasons_against[0]


def test_donors__nothing_counted__unknown_speaks_against() -> None:
    found = third(member("a"), member("b"), member("c"), context=Context())
    assert all("is unknown" in one.reasons_against[0] for one in found.donors)
