"""Bytes of pairs: the sums agree, each node gets each write-set once, and segments never raise what crosses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.adviser.bandwidth.by_count import by_count
from backend.core.adviser.bandwidth.span import Span
from backend.core.adviser.bandwidth.traffic import Member, Relay, flows, traffic

segments = st.lists(st.sampled_from("012"), min_size=2, max_size=7)
rates = st.lists(st.integers(0, 1_000).map(float), min_size=7, max_size=7)


def cluster(given_segments: list[str]) -> list[Member]:
    return [Member(f"n{i}", segment) for i, segment in enumerate(given_segments)]


def chosen(seed: int) -> Relay:
    """Another relay for each sender, as the provider has it."""
    return lambda sender, names: names[(int(sender[1:]) + seed) % len(names)]


@given(segments, rates, st.integers(0, 6))
def test_traffic__any_relays__within_the_bounds_and_the_sums_agree(
    of_nodes: list[str], of_writers: list[float], seed: int
) -> None:
    members = cluster(of_nodes)
    written = {member.name: rate for member, rate in zip(members, of_writers, strict=False)}
    found, exact = traffic(members, written), flows(members, written, chosen(seed))
    for pair, rate in exact.items():
        assert found.pairs[pair].low <= rate <= found.pairs[pair].high
    for member in members:
        sent = sum(rate for (source, _), rate in exact.items() if source == member.name)
        received = sum(rate for (_, target), rate in exact.items() if target == member.name)
        assert found.outbound[member.name].low <= sent <= found.outbound[member.name].high
        assert received == found.inbound[member.name]
    assert sum(exact.values()) == sum(found.inbound.values())
    segment_of = {member.name: member.segment for member in members}
    for (one, other), span in found.across.items():
        assert span.low == span.high
        crossed = [rate for (a, b), rate in exact.items() if (segment_of[a], segment_of[b]) == (one, other)]
        assert sum(crossed) == span.high


@given(st.lists(st.sampled_from("ab"), min_size=2, max_size=7), rates, st.integers(0, 6))
def test_segments__by_site__never_raise_the_bytes_across(sites: list[str], of_writers: list[float], seed: int) -> None:
    site_of = {f"n{i}": site for i, site in enumerate(sites)}
    written = dict(zip(site_of, of_writers, strict=False))

    def across(given_segments: list[str]) -> float:
        exact = flows(cluster(given_segments), written, chosen(seed))
        return sum(rate for (one, other), rate in exact.items() if site_of[one] != site_of[other])

    assert across(sites) <= across(["0"] * len(sites))


def test_traffic__one_segment__exact_and_a_copy_to_each() -> None:
    found = traffic(cluster(["0", "0", "0"]), {"n0": 10.0, "n1": 0.0, "n2": 0.0})
    assert found.pairs["n0", "n1"] == Span(10, 10)
    assert found.outbound["n0"] == Span(20, 20)
    assert not found.across


def test_traffic__two_segments__the_relay_is_one_of_the_other_site() -> None:
    found = traffic(cluster(["0", "0", "1", "1"]), {"n0": 10.0, "n1": 0.0, "n2": 0.0, "n3": 0.0})
    assert found.outbound["n0"] == Span(20, 20)
    assert found.pairs["n0", "n2"] == Span(0, 10)
    assert found.pairs["n2", "n3"] == Span(0, 10)
    assert found.across["0", "1"] == Span(10, 10)


def test_traffic__an_arbitrator__receives_all_and_widens_what_is_sent() -> None:
    found = traffic(cluster(["0", "0"]), {"n0": 10.0, "n1": 5.0}, unregistered=1)
    assert found.to_unregistered == 15
    assert found.outbound == {"n0": Span(10, 20), "n1": Span(5, 10)}


def test_by_count__three_nodes__twice_of_two_and_the_line_halved_by_segments() -> None:
    rows = {row.nodes: row for row in by_count(100)}
    assert rows[3].outbound_one.low == pytest.approx(2 * rows[2].outbound_one.low)
    assert rows[5].outbound_two == Span(300, 300).on_the_wire()
    assert rows[4].across_two.high == pytest.approx(rows[4].across_one.high / 2)
    assert all(row.outbound_two.high <= row.outbound_one.high for row in rows.values())
