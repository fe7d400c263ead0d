"""The leases in the console's database: who gets them, when they lapse, and what is counted."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db.models.functions import Now

from backend.clusters.models import Link
from backend.core.ownership.groups import Group
from backend.core.ownership.owner import Owner
from backend.core.ownership.rendezvous import owner_of
from backend.core.topology import NodeFacts, Reach
from backend.monitoring import monitor
from backend.monitoring.models import ClusterOwner, MonitorProcess
from backend.monitoring.ownership import leases
from backend.monitoring.ownership.observed_nodes import ObservedNodes
from backend.monitoring.ownership.shares import Shares, shares
from tests.monitoring.facts import gone, up

pytestmark = pytest.mark.django_db
GROUP = Group({"c_a", "c_b"})


def owners(stored_link: Link, *names: str) -> list[Owner]:
    return [Owner(name, leases.StoredLeases()) for name in names]


def lapse(monitor_name: str, by_s: float = 1) -> None:
    MonitorProcess.objects.filter(pk=monitor_name).update(until=Now() - timedelta(seconds=by_s))


def held_by() -> set[tuple[str, str]]:
    return set(ClusterOwner.objects.values_list("pk", "holder"))


def test_keep__alone__owns_every_cluster_and_may_store_them(stored_link: Link) -> None:
    (one,) = owners(stored_link, "one")
    assert one.keep([GROUP], ()) == GROUP
    assert one.keep([GROUP], GROUP) == frozenset()
    assert one.confirmed() == one.polls == one.owned == GROUP
    assert shares() == Shares({"one": 1}, [])


def test_claim__holder_alive__not_taken(stored_link: Link) -> None:
    one, two = owners(stored_link, "one", "two")
    one.keep([GROUP], ())
    two._table.renew("two", ())
    assert two._table.claim("two", [GROUP]) == {}
    assert one.confirmed() == GROUP


def test_claim__holder_lapsed__taken_whole_under_a_new_epoch_and_counted(stored_link: Link) -> None:
    one, two = owners(stored_link, "one", "two")
    one.keep([GROUP], ())
    lapse("one")
    two.keep([GROUP], ())
    assert two.confirmed() == GROUP
    assert one.confirmed() == frozenset()
    assert set(ClusterOwner.objects.values_list("epoch", "takeovers")) == {(2, 1)}


def test_claim__one_of_two_clusters_is_held__neither_is_taken(stored_link: Link) -> None:
    one, two = owners(stored_link, "one", "two")
    one.keep([Group({"c_a"})], ())
    two._table.renew("two", ())
    two._table.read(GROUP)
    assert two._table.claim("two", [GROUP]) == {}
    assert held_by() == {("c_a", "one"), ("c_b", "")}


def test_in_force__own_lease_lapsed_and_not_yet_claimed__nothing_is_stored(stored_link: Link) -> None:
    (one,) = owners(stored_link, "one")
    one.keep([GROUP], ())
    lapse("one")
    assert one.confirmed() == frozenset()


def test_hand_over__next_owner_ready__holds_it_at_once_and_the_former_one_stores_no_more(stored_link: Link) -> None:
    first, second = sorted(("one", "two"), key=is_owner)
    one, two = owners(stored_link, first, second)
    one.keep([GROUP], ())
    assert two.keep([GROUP], ()) == frozenset()
    assert two.polls == GROUP
    one.keep([GROUP], GROUP)
    assert one.confirmed() == GROUP, "until the next one has polled"
    two.keep([GROUP], GROUP)
    one.keep([GROUP], GROUP)
    assert (one.confirmed(), one.owned) == (frozenset(), frozenset())
    assert two.keep([GROUP], GROUP) == two.confirmed() == GROUP
    assert set(ClusterOwner.objects.values_list("takeovers", flat=True)) == {0}


def is_owner(name: str) -> bool:
    """Whether rendezvous hashing gives the group to this one of the two: it comes last."""
    return owner_of(GROUP, ("one", "two")) == name


def test_release__others_need_not_wait_and_no_takeover_is_counted(stored_link: Link) -> None:
    one, two = owners(stored_link, "one", "two")
    one.keep([GROUP], ())
    leases.release("one")
    two.keep([GROUP], ())
    assert two.confirmed() == GROUP
    assert set(ClusterOwner.objects.values_list("takeovers", flat=True)) == {0}


def test_forget_ended__still_a_holder__its_row_stays_because_it_is_the_lock(stored_link: Link) -> None:
    one, two = owners(stored_link, "one", "two")
    one.keep([GROUP], ())
    two._table.renew("two", ())
    for name in ("one", "two"):
        lapse(name, 2 * 3600)
    leases.forget_ended()
    assert set(MonitorProcess.objects.values_list("name", flat=True)) == {"one"}


def test_links_without_owner__lapsed_or_shared_between_two__counted(stored_link: Link) -> None:
    assert shares().without_owner == [stored_link.name]
    one, two = owners(stored_link, "one", "two")
    one.keep([GROUP], ())
    assert shares().without_owner == []
    two._table.renew("two", ())
    ClusterOwner.objects.filter(pk="c_b").update(holder="two")
    assert shares().without_owner == [stored_link.name]
    lapse("one")
    assert shares().without_owner == [stored_link.name]


def test_monitor__no_node_reachable__closes_and_releases(stored_link: Link) -> None:
    one = monitor.Monitor(threading.Event())
    one._read_registration()
    one._keep_leases()
    assert {holder for _, holder in held_by()} == {one._owner.monitor}
    one.close()
    assert {holder for _, holder in held_by()} == {""}


def silent(name: str) -> NodeFacts:
    return NodeFacts(up(name).node, 1.0, Reach.HUNG)


def test_observed__taken_over__stored_from_the_next_result_on() -> None:
    nodes, first = ObservedNodes(), up("a1")
    nodes.observe({"n_a1": first})
    nodes.await_results(["n_a1"])
    assert nodes.storable(["n_a1"]) == {}
    nodes.observe({"n_a1": up("a1")})
    assert set(nodes.storable(["n_a1"])) == {"n_a1"}


def test_observed__taken_over_while_a_poll_was_running__its_result_is_not_stored_either() -> None:
    nodes, slow = ObservedNodes(), up("a1")
    nodes.observe({"n_a1": slow})
    nodes.observe({"n_a1": slow})
    nodes.await_results(["n_a1"])
    nodes.observe({"n_a1": up("a1")})
    assert nodes.storable(["n_a1"]) == {}
    nodes.observe({"n_a1": up("a1")})
    assert set(nodes.storable(["n_a1"])) == {"n_a1"}


def test_observed__taken_over_during_the_first_poll__its_result_is_not_stored() -> None:
    nodes = ObservedNodes()
    nodes.keep_only({"n_a1"})
    nodes.observe({})
    nodes.await_results(["n_a1"])
    nodes.observe({"n_a1": up("a1")})
    assert nodes.storable(["n_a1"]) == {}
    nodes.observe({"n_a1": up("a1")})
    assert set(nodes.storable(["n_a1"])) == {"n_a1"}


def test_observed__missed_poll_then_one_that_takes_longer_than_a_tick__missed_once() -> None:
    nodes, missed = ObservedNodes(), silent("a1")
    nodes.observe({"n_a1": up("a1")})
    nodes.observe({"n_a1": missed})
    nodes.observe({"n_a1": missed})
    assert nodes.facts["n_a1"].is_up


def test_observed__first_poll_after_a_takeover_missed__no_lost_node_until_the_second() -> None:
    nodes = ObservedNodes()
    nodes.await_results(["n_a1", "n_a2"])
    nodes.observe({"n_a1": silent("a1"), "n_a2": gone("a2")})
    assert set(nodes.storable(["n_a1", "n_a2"])) == {"n_a2"}
    nodes.observe({"n_a1": silent("a1"), "n_a2": gone("a2")})
    assert nodes.storable(["n_a1"])["n_a1"].reach is Reach.HUNG
