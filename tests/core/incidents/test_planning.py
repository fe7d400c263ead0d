"""Which plans are made next: none of a cluster beyond its limit, and none kept back by another cluster."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from backend.core.incidents.planning import WantedPlan, full_clusters, next_plans

HUB = [WantedPlan(f"hub-{n}", ("hub", f"spoke-{n}")) for n in range(4)]
OTHER = WantedPlan("other", ("a", "b"))
CLUSTERS = st.sampled_from([("hub", "a"), ("hub", "b"), ("c", "d"), ("e", "f")])
PLANS = st.lists(CLUSTERS, max_size=12).map(lambda found: [WantedPlan(str(n), pair) for n, pair in enumerate(found)])


def test_next_plans__cluster_is_full__others_go_first() -> None:
    assert list(next_plans([*HUB, OTHER], [], most=8, most_of_a_cluster=2)) == ["hub-0", "hub-1", "other"]
    assert list(next_plans([*HUB[2:], OTHER], HUB[:2], most=8, most_of_a_cluster=2)) == ["other"]
    assert full_clusters(HUB[:2], 2) == {"hub"}


def test_next_plans__limit_of_the_console__the_first() -> None:
    assert list(next_plans([OTHER, *HUB], [], most=1, most_of_a_cluster=2)) == ["other"]
    assert list(next_plans([OTHER], HUB[:2], most=2, most_of_a_cluster=9)) == []


@given(PLANS, st.integers(0, 12), st.integers(1, 3), st.integers(1, 6))
def test_next_plans__whatever_waits__within_both_limits_and_something_goes_on(
    plans: list[WantedPlan], running: int, of_a_cluster: int, most: int
) -> None:
    begun = list(next_plans(plans, [], most=most, most_of_a_cluster=of_a_cluster))
    chosen = [one for one in plans if one.key in begun]
    counts = [sum(name in one.clusters for one in chosen) for name in ("hub", "a", "c")]
    assert len(begun) <= most
    assert max(counts) <= of_a_cluster
    assert begun or not plans
