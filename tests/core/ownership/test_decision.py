"""Who should own which links: groups, rendezvous hashing, and what one monitor does about it."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.ownership.decision import ANYONE_AFTER_S, Lease, Stored, decide
from backend.core.ownership.groups import Group, groups_of
from backend.core.ownership.rendezvous import owner_of
from tests.core.builders.examples import examples

CLUSTERS = [f"c_{number}" for number in range(8)]
MONITORS = ("m1", "m2", "m3")
clusters = st.sampled_from(CLUSTERS)
links = st.lists(st.tuples(clusters, clusters), max_size=8)
names = st.sampled_from(MONITORS)
leases = st.builds(Lease, st.one_of(st.just(""), names), st.integers(1, 9), st.one_of(st.none(), st.floats(0, 9)))
stored = st.builds(
    Stored,
    st.dictionaries(clusters, leases),
    st.dictionaries(names, st.frozensets(clusters), min_size=1),
)


@examples(40)
@given(links)
def test_groups__of_any_links__each_cluster_in_one_and_no_link_between_two(pairs: list[tuple[str, str]]) -> None:
    groups = groups_of(CLUSTERS, pairs)
    assert sorted(cluster for group in groups for cluster in group) == sorted(CLUSTERS)
    assert all(any({first, second} <= group for group in groups) for first, second in pairs)
    assert groups == groups_of(reversed(CLUSTERS), [(second, first) for first, second in reversed(pairs)])


def test_groups__chain_and_a_cluster_alone__two_groups() -> None:
    assert groups_of(["a", "b", "c", "d"], [("a", "b"), ("b", "c")]) == [Group("abc"), Group("d")]


def test_owner__one_of_three_monitors_ends__only_its_groups_move() -> None:
    groups = [Group({f"c_{number}a", f"c_{number}b"}) for number in range(300)]
    before = {group: owner_of(group, MONITORS) for group in groups}
    after = {group: owner_of(group, MONITORS[:2]) for group in groups}
    assert {group for group in groups if before[group] != after[group]} == {g for g in groups if before[g] == "m3"}
    assert min(Counter(before.values()).values()) > 70
    assert owner_of(groups[0], ()) is None


@examples(60)
@given(links, stored)
def test_decide__any_leases__each_lapsed_one_is_claimed_by_one_living_monitor_and_none_in_force_is(
    pairs: list[tuple[str, str]], found: Stored
) -> None:
    groups = groups_of(CLUSTERS, pairs)
    decisions = {name: decide(name, found, groups) for name in found.ready}
    for group in groups:
        lapsed = {cluster for cluster in group if found.lapsed_s(cluster) is not None}
        claimed = [claims for decision in decisions.values() for claims in decision.claims if claims <= group]
        assert all(claims == lapsed for claims in claimed)
        assert bool(claimed) == bool(lapsed)
        is_overdue = any((found.lapsed_s(cluster) or 0) > ANYONE_AFTER_S for cluster in lapsed)
        assert len(claimed) <= 1 or is_overdue


@examples(60)
@given(links, stored)
def test_decide__any_leases__only_its_own_are_handed_over_and_only_to_one_that_can_store_all(
    pairs: list[tuple[str, str]], found: Stored
) -> None:
    groups = groups_of(CLUSTERS, pairs)
    for name in found.ready:
        decision = decide(name, found, groups)
        for cluster, owner in decision.hand_over.items():
            (group,) = (one for one in groups if cluster in one)
            assert (found.holder(cluster), owner) == (name, owner_of(group, found.ready))
            assert owner != name
            assert all(one in found.ready[owner] or found.holder(one) == owner for one in group)
        held = {cluster for cluster in CLUSTERS if found.holder(cluster) == name}
        assert held <= decision.polls, "it stores until another one has the lease"


def test_decide__monitor_without_a_row_of_its_own__counts_itself() -> None:
    decision = decide("m1", Stored({}, {}), [Group("ab")])
    assert (decision.polls, decision.claims) == ({"a", "b"}, [Group("ab")])


@pytest.mark.parametrize(("lapsed_s", "claims"), [(1.4, []), (1.6, [Group("ab")])])
def test_decide__owner_that_should_claim_does_not__another_one_does_after_a_while(
    lapsed_s: float, claims: list[Group]
) -> None:
    owner = owner_of(Group("ab"), MONITORS)
    (other, _) = (name for name in MONITORS if name != owner)
    lease = Lease("gone", 4, lapsed_s)
    assert (
        decide(other, Stored({"a": lease, "b": lease}, dict.fromkeys(MONITORS, frozenset())), [Group("ab")]).claims
        == claims
    )
