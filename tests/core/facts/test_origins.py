"""Whose transactions stand in the logs: what a channel must ignore, what it keeps, and what nobody can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.facts.channel_ends import End, foreign_channels, hindrance, misdirected
from backend.core.facts.origins import (
    Way,
    logged_origins,
    loop_guard,
    nodes_under_different_ids,
    origins_in,
    outside_stream,
    told_apart,
)
from backend.core.link_facts import LinkFacts
from backend.core.topology import ChannelFacts, Direction, NodeRef
from tests.core.builders.link_facts import link, node_of, with_channel, with_node, with_variable
from tests.core.builders.third_servers import feeding, ignoring, logging

FORWARD, REVERSE = Direction.FORWARD, Direction.REVERSE
A_IDS, B_IDS = (11, 12, 13), (21, 22, 23)


def ways(facts: LinkFacts, direction: Direction) -> dict[int, Way]:
    return {one.server_id: one.way for one in loop_guard(facts, direction).foreign}


def test_origins_in__state_as_the_server_shows_it__domains_and_ids_or_unknown() -> None:
    node = node_of(with_variable(link(), "a1", "gtid_binlog_state", "0-11-8,\n 100-900-3"), "a1")
    assert origins_in(node) == {(0, 11), (100, 900)}
    for text in (None, "0-11", "0-x-8"):
        assert origins_in(node_of(with_variable(link(), "a1", "gtid_binlog_state", text), "a1")) is None


def test_guard__nothing_foreign__the_ids_of_the_own_cluster() -> None:
    facts = link()
    assert loop_guard(facts, FORWARD).ids == B_IDS
    assert loop_guard(facts, REVERSE).ids == A_IDS
    assert loop_guard(facts, REVERSE).missing(node_of(facts, "a1")) == ()


def test_guard__id_ignored_on_purpose__kept_and_outside_the_stream() -> None:
    """A third server feeds the active side; its transactions come home in the log of the other one."""
    facts = logging(feeding(ignoring(link(), "a1", 900), "a1"), "a1", "a2", "a3", "b1", "b2", "b3")
    assert ways(facts, REVERSE) == {900: Way.IGNORED}
    assert outside_stream(facts, REVERSE) == (*A_IDS, 900)
    assert ways(facts, FORWARD) == {900: Way.BY_THE_OTHER_SIDE}
    assert outside_stream(facts, FORWARD) == B_IDS


def test_guard__holder_is_down__the_list_is_kept_as_it_was_recorded() -> None:
    facts = ignoring(link(), "a1", 900)
    recorded = tuple(
        replace(one, channel=(node_of(facts, "a1").channels or ())[0]) if one.direction is REVERSE else one
        for one in facts.recorded
    )
    gone = with_node(replace(facts, recorded=recorded), "a1", channels=())
    assert 900 in loop_guard(gone, REVERSE).ids
    assert 900 not in loop_guard(replace(gone, recorded=()), REVERSE).ids


def test_guard__server_feeds_one_side__its_channel_must_ignore_it_and_the_other_brings_it() -> None:
    facts = logging(feeding(link(), "a2"), "a1", "b1")
    assert ways(facts, REVERSE) == {900: Way.FED}
    assert loop_guard(facts, REVERSE).missing(node_of(facts, "a1")) == (900,)
    assert ways(facts, FORWARD) == {900: Way.BY_THE_OTHER_SIDE}


def test_guard__id_in_the_logs_of_one_side_only__ignored_into_it() -> None:
    facts = logging(link(), "a3")
    assert ways(facts, REVERSE) == {900: Way.ONLY_HERE}
    assert ways(facts, FORWARD) == {}


@pytest.mark.parametrize("is_fed_twice", [False, True])
def test_guard__id_in_the_logs_of_both_and_no_fact_tells_its_way__neither_ignored_nor_believed(
    *, is_fed_twice: bool
) -> None:
    facts = logging(link(), "a1", "b1")
    facts = feeding(feeding(facts, "a1"), "b2") if is_fed_twice else facts
    for direction, own in ((REVERSE, A_IDS), (FORWARD, B_IDS)):
        assert ways(facts, direction) == {900: Way.UNKNOWN}
        assert loop_guard(facts, direction).ids == own


def test_guard__both_sides_fed_and_both_ignore_it__kept_in_both() -> None:
    facts = logging(feeding(feeding(link(), "a1"), "b1"), "a1", "b1")
    facts = with_node(facts, "a1", channels=_each_ignoring(facts, "a1"))
    facts = with_node(facts, "b1", channels=_each_ignoring(facts, "b1"))
    assert {ways(facts, direction)[900] for direction in Direction} == {Way.IGNORED}


def _each_ignoring(facts: LinkFacts, name: str) -> tuple[ChannelFacts, ...]:
    return tuple(
        replace(one, ignore_server_ids=(*one.ignore_server_ids, 900)) for one in node_of(facts, name).channels or ()
    )


def test_guard__log_begun_anew__what_was_seen_before_still_counts() -> None:
    facts = link()
    facts = replace(facts, standby=replace(facts.standby, logged_origins=frozenset({(0, 900)})))
    assert (0, 900) in logged_origins(facts.standby)
    assert ways(facts, FORWARD) == {900: Way.ONLY_HERE}
    assert ways(logging(facts, "a1"), REVERSE) == {900: Way.UNKNOWN}


def test_guard__ids_of_the_source_ignored__named() -> None:
    assert loop_guard(ignoring(link(), "a1", 22), REVERSE).of_source == (22,)


# -- a cluster that logs under an id that no node has


def in_gtid_mode(facts: LinkFacts, *, a_domain: str = "100", b_domain: str = "200") -> LinkFacts:
    for name in ("a1", "a2", "a3", "b1", "b2", "b3"):
        domain = a_domain if name.startswith("a") else b_domain
        facts = with_variable(facts, name, "wsrep_gtid_mode", "ON")
        facts = with_variable(facts, name, "wsrep_gtid_domain_id", domain)
        facts = with_variable(facts, name, "gtid_domain_id", domain)
    return facts


def apart(facts: LinkFacts) -> LinkFacts:
    active, standby = told_apart(facts.active, facts.standby)
    return replace(facts, active=active, standby=standby)


def test_told_apart__id_in_the_own_domain__one_of_the_clusters_own() -> None:
    facts = apart(logging(in_gtid_mode(link()), "a1", "b1", server_id=1, domain=100))
    assert facts.active.former_server_ids == (1,)
    assert facts.active.server_ids == (1, *A_IDS)
    assert facts.standby.server_ids == B_IDS
    assert loop_guard(facts, REVERSE).missing(node_of(facts, "a1")) == (1,)


def test_told_apart__both_sides_log_under_one_id__both_have_it_so_that_plans_are_refused() -> None:
    facts = logging(in_gtid_mode(link()), "a1", "b1", server_id=1, domain=100)
    facts = apart(logging(facts, "a1", "b1", server_id=1, domain=200))
    assert set(facts.active.server_ids) & set(facts.standby.server_ids) == {1}


@pytest.mark.parametrize(
    "change",
    [
        lambda f: in_gtid_mode(f, b_domain="100"),
        lambda f: with_variable(f, "a2", "wsrep_gtid_mode", "OFF"),
        lambda f: with_variable(f, "a2", "wsrep_gtid_domain_id", "101"),
        lambda f: with_variable(f, "b2", "gtid_domain_id", None),
        lambda f: feeding(f, "b1"),
        lambda f: feeding(f, "a1", server_id=1),
    ],
    ids=["one domain for both", "mode off on a node", "two domains", "domain unknown", "other side fed", "fed by it"],
)
def test_told_apart__another_may_write_in_that_domain__not_believed(change: object) -> None:
    facts = change(logging(in_gtid_mode(link()), "a1", "b1", server_id=1, domain=100))  # type: ignore[operator]
    assert apart(facts).active.former_server_ids == ()


def test_nodes_under_different_ids__same_number_under_two_ids__named() -> None:
    facts = in_gtid_mode(link())
    facts = with_variable(facts, "a1", "gtid_binlog_pos", "100-11-50,200-21-3")
    assert nodes_under_different_ids(with_variable(facts, "a2", "gtid_binlog_pos", "100-11-50").active) == {}
    assert nodes_under_different_ids(with_variable(facts, "a2", "gtid_binlog_pos", "100-1-49").active) == {}
    facts = with_variable(facts, "a2", "gtid_binlog_pos", "100-1-50,200-21-3")
    assert nodes_under_different_ids(facts.active) == {"a1": 11, "a2": 1}


# -- who is at the other end


@pytest.mark.parametrize(
    ("server_id", "end"),
    [(11, End.OTHER_SIDE), (22, End.OWN_SIDE), (None, End.UNKNOWN), (900, End.OUTSIDE)],
)
def test_foreign_channel__by_what_answered_there(server_id: int | None, end: End) -> None:
    (found,) = foreign_channels(feeding(link(), "b3", server_id))
    assert (found.end, found.replica.node.name) == (end, "b3")
    assert found.is_unclear is (end is not End.OUTSIDE)


def test_foreign_channel__from_a_node_of_its_own_cluster__never_outside() -> None:
    facts = feeding(link(), "b3", 900)
    third = (node_of(facts, "b3").channels or ())[-1]
    b1 = node_of(facts, "b1").node
    facts = with_node(facts, "b3", channels=(replace(third, source_host=b1.host, source_port=b1.port),))
    assert [one.end for one in foreign_channels(facts)] == [End.OWN_SIDE]


def test_foreign_channel__node_of_a_third_cluster__named_and_its_transactions_ignored_where_they_enter() -> None:
    facts = logging(feeding(link(), "a2"), "a1")
    facts = replace(facts, elsewhere=(NodeRef("n_c1", "c1", "10.9.9.9", 3306, "c_c"),))
    (found,) = foreign_channels(facts)
    assert (found.end, found.source and found.source.name) == (End.REGISTERED, "c1")
    assert "c1" in found.sentence
    assert ways(facts, REVERSE) == {900: Way.FED}


def test_misdirected__connected_to_another_server__named_and_hinders() -> None:
    facts = with_channel(link(), "b1", source_server_id=12)
    assert [one.replica.node.name for one in misdirected(facts)] == ["b1"]
    assert "a1" in (hindrance(facts) or "")
    assert misdirected(with_channel(facts, "b1", io_running="Connecting")) == ()
    assert hindrance(link()) is None
