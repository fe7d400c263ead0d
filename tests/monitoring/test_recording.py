"""One tick after another: what is stored, what is told, what is remembered."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from backend.clusters.models import Link, Node
from backend.core.link_facts import Divergence
from backend.core.topology import NodeFacts
from backend.monitoring import lease, link_roles, selectors
from backend.monitoring.link_gateway import recorded_channels
from backend.monitoring.models import ChannelRecord, CleanupDue, LagSample, LinkStatus, MonitorLease, NodeState
from backend.monitoring.recording.nodes import remember_identity
from backend.monitoring.stored_facts import link_facts
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, channel, gone, link, up
from tests.monitoring.ticks import raised_kinds, tick

pytestmark = pytest.mark.django_db


def test_first_tick__all_well__stored_and_nothing_told(stored_link: Link) -> None:
    tick(stored_link)
    assert LinkStatus.objects.get().state == "protected"
    assert ChannelRecord.objects.count() == 2
    assert LagSample.objects.get().forward_lag_s == 0
    assert raised_kinds() == []


def test_source_lost_and_back__both_told_once(stored_link: Link) -> None:
    tick(stored_link)
    tick(stored_link, {"a1": gone("a1")}, 1)
    tick(stored_link, {"a1": gone("a1")}, 2)
    tick(stored_link, None, 3)
    assert raised_kinds() == ["node.down", "link.broken", "node.up", "link.protected"]
    assert LagSample.objects.filter(forward_lag_s=None).count() == 2


def test_replica_lost__record_stays_with_its_time(stored_link: Link) -> None:
    tick(stored_link)
    tick(stored_link, {"b1": gone("b1")}, 14)
    record = ChannelRecord.objects.get(direction="forward")
    assert (record.replica_node_id, record.observed_at) == ("n_b1", from_unix(NOW))
    sentence = LinkStatus.objects.get().sentence
    assert sentence == "db-b1 is down. Milan is still writable. Frankfurt has received no data for 14 s."


@pytest.mark.parametrize(("ahead_s", "holder"), [(1, "n_b2"), (3600, "n_b1")])
def test_record__written_by_a_run_while_this_tick_looked__stays_unless_its_clock_was_wrong(
    stored_link: Link, ahead_s: float, holder: str
) -> None:
    tick(stored_link)
    ChannelRecord.objects.filter(direction="forward").update(replica_node="n_b2", observed_at=from_unix(NOW + ahead_s))
    tick(stored_link)
    assert ChannelRecord.objects.get(direction="forward").replica_node_id == holder
    assert ("channel.moved" in raised_kinds()) is (holder == "n_b1")


def test_old_holder_back__told_within_one_tick_and_the_record_does_not_move(stored_link: Link) -> None:
    tick(stored_link)
    tick(stored_link, {"b1": gone("b1"), "b2": up("b2", channel("a2"))}, 1)
    tick(stored_link, {"b2": up("b2", channel("a2"))}, 2)
    assert ChannelRecord.objects.get(direction="forward").replica_node_id == "n_b2"
    assert "channel.moved" in raised_kinds()
    assert "channel.stray" in raised_kinds()
    assert LinkStatus.objects.get().primary_action == {
        "kind": "remove_stray_channel",
        "label": "Remove the stray channel on db-b1",
        "replaced_node": "n_b1",
        "url_options": {},
    }


def test_link__roles_swapped_since_the_last_tick__shown_under_the_roles_of_now(stored_link: Link) -> None:
    tick(stored_link)
    before = selectors.link_view(stored_link)
    link_roles.set_roles(stored_link.id, stored_link.standby_cluster_id, stored_link.active_cluster_id)
    shown = selectors.link_view(Link.objects.get(pk=stored_link.pk))
    assert shown["active_cluster"] == before["standby_cluster"]
    assert shown["standby_cluster"] == before["active_cluster"]
    sources = {c["direction"]: c["source_node"] for c in before["channels"]}
    assert {c["direction"]: c["source_node"] for c in shown["channels"]} == {
        "forward": sources["reverse"],
        "reverse": sources["forward"],
    }


def test_cleaning_due__node_back_without_channel__note_goes(stored_link: Link) -> None:
    CleanupDue.objects.create(link=stored_link, node_id="n_b3", direction="forward")
    tick(stored_link, {"b3": gone("b3")})
    assert CleanupDue.objects.count() == 1
    tick(stored_link, None, 1)
    assert CleanupDue.objects.count() == 0
    assert "node.cleanup_due" in raised_kinds()


def test_recorded_channels__node_still_to_be_cleaned__known_as_left_behind(stored_link: Link) -> None:
    """Else an old holder that returned would count as the channel again once the new one fails."""
    tick(stored_link)
    CleanupDue.objects.create(link=stored_link, node_id="n_b3", direction="forward")
    left_on = {record.direction.value: record.left_on for record in recorded_channels(stored_link.id)}
    assert left_on == {"forward": {"n_b3"}, "reverse": frozenset()}


def test_remember_identity__node_down__its_server_id_stays(stored_link: Link) -> None:
    cluster = stored_link.active_cluster
    remember_identity(cluster, {"n_a1": up("a1"), "n_a2": up("a2")})
    remember_identity(cluster, {"n_a1": gone("a1"), "n_a2": up("a2")})
    cluster.refresh_from_db()
    assert cluster.known_server_ids == {"n_a1": 11, "n_a2": 12}


def test_remember_identity__server_replaced__the_former_id_stays(stored_link: Link) -> None:
    cluster = stored_link.active_cluster
    Node.objects.filter(pk="n_a1").update(server="host:1 node /data/", server_id=11)
    remember_identity(cluster, {"n_a1": up("a1")})
    remember_identity(cluster, {"n_a1": replace(up("a1"), server_id=19)})
    cluster.refresh_from_db()
    assert sorted(cluster.known_server_ids.values()) == [11, 19]


def test_link_view__monitor_silent__nothing_is_claimed(stored_link: Link) -> None:
    tick(stored_link)  # as of NOW, which is not now
    LinkStatus.objects.update(observed_at=from_unix(NOW) - timedelta(days=400))
    view = selectors.link_view(stored_link, detailed=True)
    assert view["state"] == "unknown"
    assert view["sentence"].endswith("no monitor is running.")
    assert {channel["state"] for channel in view["channels"]} == {"unknown"}
    assert view["readiness"]["relocate"]["state"] == "unknown"
    assert view["primary_action"] is None


def test_link_view__observed_in_the_future__nothing_is_claimed_and_the_clocks_are_named(stored_link: Link) -> None:
    tick(stored_link)
    for rows in (LinkStatus.objects, NodeState.objects):
        rows.update(observed_at=timezone.now() + timedelta(hours=1))
    view = selectors.link_view(stored_link, detailed=True)
    assert (view["state"], view["age_s"], view["primary_action"]) == ("unknown", None, None)
    assert "in the future: clocks of the console's hosts differ" in view["sentence"]
    node = view["clusters"]["active"]["nodes"][0]
    assert (node["reach"], node["age_s"], node["eligibility"]["eligible"]) == ("unknown", None, False)
    assert "in the future" in node["eligibility"]["reason"]["message"]


def test_link_view__never_polled__unknown(stored_link: Link) -> None:
    view = selectors.link_view(stored_link, detailed=True)
    assert (view["state"], view["observed_at"]) == ("unknown", None)
    node = view["clusters"]["active"]["nodes"][0]
    assert (node["reach"], node["reachable"], node["channels"]) == ("unknown", None, None)


def test_link_facts__stored__equal_what_was_seen(stored_link: Link) -> None:
    tick(stored_link)
    assert link_facts(stored_link).nodes == link().nodes


def test_hold__two_monitors__one_writes_until_its_lease_lapses(stored_link: Link) -> None:
    assert lease.acquire("one")
    assert lease.acquire("one")
    assert not lease.acquire("two")
    MonitorLease.objects.update(until=from_unix(0))
    assert lease.acquire("two")
    assert not lease.acquire("one")
    lease.release("two")
    assert lease.acquire("one")


def _copied(state_uuid: str, logged: str) -> dict[str, NodeFacts]:
    """Side a under that state UUID, having logged groups of these ids."""
    found = {}
    for name in ("a1", "a2", "a3"):
        node = up(name)
        assert node.wsrep is not None
        wsrep = replace(node.wsrep, state_uuid=state_uuid)
        found[name] = replace(node, wsrep=wsrep, variables={**node.variables, "gtid_binlog_state": logged})
    return found


@pytest.mark.parametrize(
    ("logged", "kind", "label"),
    [
        ("0-21-7", "site.rebuilt", "Attach the rebuilt milan"),
        ("0-11-4,0-21-7", "site.rebootstrapped", "Fence milan"),
    ],
)
def test_lost_side_back_as_another_incarnation__told_apart_and_told_once(
    stored_link: Link, logged: str, kind: str, label: str
) -> None:
    tick(stored_link)
    lost, survivor = stored_link.active_cluster_id, stored_link.standby_cluster_id
    link_roles.record_divergence(stored_link.id, Divergence(lost, survivor, "1" * 8, NOW, run_id="r_1"))
    dead = {name: gone(name) for name in ("a1", "a2", "a3")}
    back = _copied("99999999-1111-1111-1111-111111111111", logged)
    for after, nodes in enumerate((dead, back, back, dead, back)):
        tick(stored_link, {**nodes, "b1": up("b1")}, after + 1)
    assert raised_kinds().count(kind) == 1
    status = LinkStatus.objects.get()
    assert (status.primary_action or {})["label"].lower() == label.lower()
    codes = {finding["code"] for finding in status.findings}
    assert kind.replace("site.", "side_") in codes
    assert "state_uuid_changed" not in codes
