"""One tick after another: what is stored, what is told, what is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps

from backend.clusters.models import Link
from backend.common.events.models import Event
from backend.core.dialects import dialect_for
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import Divergence, LinkFacts, NodeFacts, Reach
from backend.gateway.pollset import Polled
from backend.gateway.tail import BinlogTail
from backend.monitoring import lease, roles, selectors
from backend.monitoring.models import ChannelRecord, CleaningDue, LagSample, LinkStatus, MonitorLease, NodeState
from backend.monitoring.shapes import recorded_channels
from backend.monitoring.store_links import store_link
from backend.monitoring.store_nodes import remember_identity, store_nodes
from backend.monitoring.times import at
from tests.monitoring.facts import NOW, channel, gone, link, up

pytestmark = [pytest.mark.backend, pytest.mark.django_db]


def tick(stored: Link, spoiled: Mapping[str, NodeFacts] | None = None, after_s: float = 0) -> None:
    """One tick that sees these nodes."""
    seen: LinkFacts = link(spoiled)
    facts = {node.node.id: node for node in seen.nodes}
    now = at(NOW + after_s)
    store_nodes(facts, now)
    store_link(stored, facts, {}, now)


def told() -> list[str]:
    return [event.data["kind"] for event in Event.objects.filter(type="event.raised").order_by("id")]


def test_first_tick__all_well__stored_and_nothing_told(stored_link: Link) -> None:
    tick(stored_link)
    assert LinkStatus.objects.get().state == "protected"
    assert ChannelRecord.objects.count() == 2
    assert LagSample.objects.get().forward_lag_s == 0
    assert told() == []


def test_source_lost_and_back__both_told_once(stored_link: Link) -> None:
    tick(stored_link)
    tick(stored_link, {"a1": gone("a1")}, 1)
    tick(stored_link, {"a1": gone("a1")}, 2)
    tick(stored_link, None, 3)
    assert told() == ["node.down", "link.broken", "node.up", "link.protected"]
    assert LagSample.objects.filter(forward_lag_s=None).count() == 2


def test_replica_lost__record_stays_with_its_time(stored_link: Link) -> None:
    tick(stored_link)
    tick(stored_link, {"b1": gone("b1")}, 14)
    record = ChannelRecord.objects.get(direction="forward")
    assert (record.replica_node_id, record.observed_at) == ("n_b1", at(NOW))
    sentence = LinkStatus.objects.get().sentence
    assert sentence == "db-b1 is gone. Milan still takes writes; Frankfurt has received nothing for 14 s."


@pytest.mark.parametrize(("ahead_s", "holder"), [(1, "n_b2"), (3600, "n_b1")])
def test_record__written_by_a_run_while_this_tick_looked__stays_unless_its_clock_was_wrong(
    stored_link: Link, ahead_s: float, holder: str
) -> None:
    tick(stored_link)
    ChannelRecord.objects.filter(direction="forward").update(replica_node="n_b2", observed_at=at(NOW + ahead_s))
    tick(stored_link)
    assert ChannelRecord.objects.get(direction="forward").replica_node_id == holder
    assert ("channel.moved" in told()) is (holder == "n_b1")


def test_old_holder_back__told_within_one_tick_and_the_record_does_not_move(stored_link: Link) -> None:
    tick(stored_link)
    tick(stored_link, {"b1": gone("b1"), "b2": up("b2", channel("a2"))}, 1)
    tick(stored_link, {"b2": up("b2", channel("a2"))}, 2)
    assert ChannelRecord.objects.get(direction="forward").replica_node_id == "n_b2"
    assert "channel.moved" in told()
    assert "channel.stray" in told()
    assert LinkStatus.objects.get().primary_action == {
        "kind": "clean",
        "label": "Clean the old channel on db-b1",
        "off_node": "n_b1",
        "url_options": {},
    }


def test_link__roles_swapped_since_the_last_tick__shown_under_the_roles_of_now(stored_link: Link) -> None:
    tick(stored_link)
    before = selectors.link_view(stored_link)
    roles.set_roles(stored_link.id, stored_link.standby_cluster_id, stored_link.active_cluster_id)
    shown = selectors.link_view(Link.objects.get(pk=stored_link.pk))
    assert shown["active_cluster"] == before["standby_cluster"]
    assert shown["standby_cluster"] == before["active_cluster"]
    sources = {c["direction"]: c["source_node"] for c in before["channels"]}
    assert {c["direction"]: c["source_node"] for c in shown["channels"]} == {
        "forward": sources["reverse"],
        "reverse": sources["forward"],
    }


def side(reach: Reach | None = None) -> dict[str, NodeFacts]:
    """All of the active side, up or in that state."""
    return {name: up(name) if reach is None else gone(name, reach) for name in ("a1", "a2", "a3")}


def test_last_seen_of_active__silent_side_changes_its_reach__last_read_stays(stored_link: Link) -> None:
    tick(stored_link, side())
    tick(stored_link, side(Reach.HUNG), 2)
    tick(stored_link, {**side(Reach.HUNG), "a2": gone("a2", Reach.UNKNOWN)}, 600)
    tick(stored_link, side(Reach.DOWN), 1200)
    seen = selectors.last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s, seen.stopped_at_s) == (NOW, NOW + 2, NOW + 1200)


def test_last_seen_of_active__one_node_only_silent__not_seen_to_stop(stored_link: Link) -> None:
    tick(stored_link, side())
    tick(stored_link, {**side(Reach.DOWN), "a3": gone("a3", Reach.HUNG)}, 2)
    assert selectors.last_seen_of_active(stored_link).stopped_at_s is None


def test_last_seen_of_active__one_node_never_polled__not_seen_to_stop(stored_link: Link) -> None:
    closed = [gone("a1"), gone("a2"), gone("a3")]
    store_nodes({node.node.id: up(node.node.name.removeprefix("db-")) for node in closed[:2]}, at(NOW))
    store_nodes({node.node.id: node for node in closed[:2]}, at(NOW + 1))
    assert selectors.last_seen_of_active(stored_link).stopped_at_s is None
    store_nodes({node.node.id: node for node in closed}, at(NOW + 2))
    assert selectors.last_seen_of_active(stored_link).stopped_at_s == NOW + 2


def test_read_at__of_rows_from_before_it_was_kept__only_what_is_read_now(stored_link: Link) -> None:
    cut = up("a3")
    assert cut.wsrep is not None
    cut = replace(cut, wsrep=replace(cut.wsrep, cluster_status="non-Primary"))
    tick(stored_link, {"a2": replace(up("a2"), reach=Reach.HUNG), "a3": cut})
    NodeState.objects.update(read_at=None)
    migration = import_module("backend.monitoring.migrations.0003_read_at")
    migration.read_when_observed(apps, None)
    kept = dict(NodeState.objects.filter(node__cluster="c_a").values_list("node_id", "read_at"))
    assert kept == {"n_a1": at(NOW), "n_a2": None, "n_a3": None}


def test_last_seen_of_active__no_look_since__not_missed(stored_link: Link) -> None:
    tick(stored_link)
    seen = selectors.last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s, seen.stopped_at_s) == (NOW, None, None)


def test_last_seen_of_active__never_read__not_known(stored_link: Link) -> None:
    tick(stored_link, side(Reach.HUNG))
    assert selectors.last_seen_of_active(stored_link).last_seen_at_s is None


@pytest.mark.parametrize("changes", [{"cluster_status": "non-Primary"}, {"local_state": 2}])
def test_last_seen_of_active__a_node_cut_off_from_its_cluster_answers__it_is_not_the_side(
    stored_link: Link, changes: dict[str, object]
) -> None:
    tick(stored_link, side())
    node = up("a3")
    assert node.wsrep is not None
    cut = replace(node, observed_at_s=NOW + 60, wsrep=replace(node.wsrep, **changes))  # type: ignore[arg-type]
    tick(stored_link, {**side(Reach.HUNG), "a3": cut}, 60)
    seen = selectors.last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s) == (NOW, NOW + 60)


def test_last_seen_of_active__count_older_than_the_last_read__as_old_as_the_count(stored_link: Link) -> None:
    tick(stored_link)
    LinkStatus.objects.update(observed_at=at(NOW - 300))
    assert selectors.last_seen_of_active(stored_link).last_seen_at_s == NOW - 300


DDL = None


def polled(name: str, *groups: int | None, reach: Reach = Reach.DOWN, first: int = 800) -> Polled:
    """A node whose log was followed over these groups (their seqnos), each 100 bytes long, until it went away."""
    tail, dialect = BinlogTail(FilePosition("binlog.000002", 4)), dialect_for("mariadb", "10.11.19-MariaDB")
    rows: list[tuple[object, ...]] = []
    for place, seqno in enumerate(groups):
        begin = first + 100 * place
        rows.append((b"", begin, b"Gtid", 11, begin + 50, b"GTID 0-11-7" if seqno is DDL else b"BEGIN GTID 0-11-7"))
        end = (b"Query", b"CREATE TABLE t (i int)") if seqno is DDL else (b"Xid", b"COMMIT /* xid=%d */" % seqno)
        rows.append((b"", begin + 50, end[0], 11, begin + 100, end[1]))
    tail.advance(lambda sql: rows, dialect, FilePosition("binlog.000002", first + 100 * len(groups)))
    return Polled(up(name) if reach is Reach.UP else gone(name, reach), None, tail)


def owed(stored: Link, *side: Polled) -> int | None:
    """What the standby, at byte 900 of a1's log, lacks by these nodes' logs."""
    tick(stored)
    facts = link({node.facts.node.name.removeprefix("db-"): node.facts for node in side})
    seen = {node.node.id: node for node in facts.nodes}
    store_nodes(seen, at(NOW + 60))
    store_link(stored, seen, {node.facts.node.id: node for node in side}, at(NOW + 60))
    return selectors.last_seen_of_active(stored).transactions


@pytest.mark.parametrize("later", [Reach.UP, Reach.DOWN, Reach.HUNG])
def test_gap__source_died_before_its_neighbours__what_they_wrote_meanwhile_stays_counted(
    stored_link: Link, later: Reach
) -> None:
    rest = polled("a2", 10, 11, 12, reach=later), polled("a3", reach=later)
    assert owed(stored_link, polled("a1", 10), *rest) == 2


def test_gap__all_died_at_once_behind_a_ddl__nothing_owed(stored_link: Link) -> None:
    """A DDL has no number: counted behind the last number alone it would be owed for ever."""
    assert owed(stored_link, *(polled(name, 10, DDL, first=700) for name in ("a1", "a2", "a3"))) == 0


def test_gap__source_wrote_what_its_neighbours_were_not_read_to_have__counted(stored_link: Link) -> None:
    assert owed(stored_link, polled("a1", 10, 11), polled("a2", 10), polled("a3", 10)) == 1


TRIMMED = range(10, 50_020)
"""More groups than a tail keeps: it forgets the oldest, seqno 10 among them."""


def jumped(name: str, reach: Reach) -> Polled:
    """A node whose log ran away from its follower, which went on at its end."""
    node = polled(name, 10, 11, reach=reach)
    node.tail.advance(lambda sql: [], dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition("binlog.000009", 4))
    return node


def cut(name: str, *groups: int, reach: Reach, first: int = 800) -> Polled:
    """A node that fell silent while its log was read behind these groups."""
    node = polled(name, *groups, reach=reach, first=first)
    end = FilePosition("binlog.000002", 900 + 100 * len(groups))
    with pytest.raises(NodeError):
        node.tail.advance(silent, dialect_for("mariadb", "10.11.19-MariaDB"), end)
    return node


def silent(sql: str) -> list[tuple[object, ...]]:
    raise NodeError("db-a1", f"Lost connection to server during query: {sql}", code=2013)


UNCOUNTABLE = {
    "trimmed": lambda reach: polled("a2", *TRIMMED, reach=reach),
    "jumped": lambda reach: jumped("a2", reach),
}


@pytest.mark.parametrize("reach", [Reach.UP, Reach.DOWN, Reach.HUNG])
@pytest.mark.parametrize("neighbour", UNCOUNTABLE)
def test_gap__a_neighbour_may_have_written_more_than_its_tail_tells__not_known(
    stored_link: Link, neighbour: str, reach: Reach
) -> None:
    """All of the dead source's log has arrived; that says nothing of what its neighbours wrote after it."""
    found = owed(stored_link, polled("a1", 10), UNCOUNTABLE[neighbour](reach), polled("a3", 10))
    assert found is None
    loss = selectors.last_seen_of_active(stored_link).to_json("Milan", NOW)
    assert loss["detail"].startswith("How many transactions of Milan had not arrived is not known.")
    view = selectors.link_view(stored_link, detailed=True)
    assert {channel["gap_transactions"] for channel in view["channels"]} == {None}


@pytest.mark.parametrize("reach", [Reach.DOWN, Reach.HUNG])
def test_gap__nodes_fell_silent_while_their_logs_were_read__what_the_look_before_saw_counts(
    stored_link: Link, reach: Reach
) -> None:
    """A site that is killed within a look: its loss was told to be not known."""
    side = cut("a1", 10, 11, reach=reach), cut("a2", 10, 11, 12, reach=reach), cut("a3", 10, reach=reach)
    assert owed(stored_link, *side) == 2


def test_gap__a_node_answers_but_its_log_was_not_read_on__it_may_have_written_more(stored_link: Link) -> None:
    rest = cut("a2", 10, reach=Reach.UP), polled("a3", 10)
    assert owed(stored_link, polled("a1", 10), *rest) is None
    assert owed(stored_link, cut("a1", 10, reach=Reach.UP), polled("a2", 10), polled("a3", 10)) is None


def test_gap__replica_stands_behind_what_a_look_that_was_broken_off_had_told__not_known(stored_link: Link) -> None:
    """The source was read up to byte 900; which group the replica has applied since has no number here."""
    assert owed(stored_link, cut("a1", 9, reach=Reach.DOWN, first=700), polled("a2", 9, 10), polled("a3", 9)) is None


def test_read_at__log_not_read_on_in_a_look__the_look_before_counts(stored_link: Link) -> None:
    tick(stored_link)
    later = {node.node.id: replace(node, observed_at_s=NOW + 1) for node in link().nodes}
    store_nodes(later, at(NOW + 1), broken_off=later)
    seen = selectors.last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s) == (NOW, NOW + 1)


def test_gap__a_neighbour_in_step_counts_where_another_cannot__its_count_told(stored_link: Link) -> None:
    rest = jumped("a2", Reach.UP), polled("a3", 10, 11, 12, reach=Reach.UP)
    assert owed(stored_link, polled("a1", 10), *rest) == 2


def test_gap__two_neighbours_in_step__the_greater_count_told(stored_link: Link) -> None:
    """One poll may have come a moment before the other."""
    rest = polled("a2", 10, 11, reach=Reach.UP), polled("a3", 10, 11, 12, reach=Reach.UP)
    assert owed(stored_link, polled("a1", 10), *rest) == 2


def test_gap__a_neighbour_that_answers_out_of_step__is_no_measure_of_its_cluster(stored_link: Link) -> None:
    """The log of a node that is not Synced is not followed: its count is of yesterday."""
    late = polled("a2", 10, 11, reach=Reach.UP)
    assert late.facts.wsrep is not None
    joiner = replace(late, facts=replace(late.facts, wsrep=replace(late.facts.wsrep, local_state=3)))
    assert owed(stored_link, polled("a1", 10), joiner, polled("a3", 10, 11, 12, 13)) == 3


def test_gap__source_answers_out_of_step__counted_by_its_neighbours(stored_link: Link) -> None:
    source = polled("a1", 10, reach=Reach.UP)
    assert source.facts.wsrep is not None
    donor = replace(source, facts=replace(source.facts, wsrep=replace(source.facts.wsrep, local_state=2)))
    rest = polled("a2", 10, 11, 12, reach=Reach.UP), polled("a3", 10, 11, reach=Reach.UP)
    assert owed(stored_link, donor, *rest) == 2


@pytest.mark.parametrize("silent_since", [[9], [8, DDL]], ids=["numbered", "a DDL last"])
def test_gap__a_neighbour_long_gone__its_log_ends_before_and_owes_nothing(
    stored_link: Link, silent_since: list[int | None]
) -> None:
    rest = polled("a2", 10, 11), polled("a3", *silent_since)
    assert owed(stored_link, polled("a1", 10), *rest) == 1


def test_gap__a_neighbour_never_followed__nothing_was_seen_of_it(stored_link: Link) -> None:
    unread = Polled(gone("a3"), None, BinlogTail(FilePosition("binlog.000002", 4)))
    assert owed(stored_link, polled("a1", 10, 11), polled("a2", 10), unread) == 1


def test_gap__no_number_known_where_the_replica_stands__not_known_once_a_neighbour_wrote(stored_link: Link) -> None:
    assert owed(stored_link, polled("a1"), polled("a2"), polled("a3")) == 0
    assert owed(stored_link, polled("a1", DDL), polled("a2", 11), polled("a3")) is None


def test_cleaning_due__node_back_without_channel__note_goes(stored_link: Link) -> None:
    CleaningDue.objects.create(link=stored_link, node_id="n_b3", direction="forward")
    tick(stored_link, {"b3": gone("b3")})
    assert CleaningDue.objects.count() == 1
    tick(stored_link, None, 1)
    assert CleaningDue.objects.count() == 0
    assert "node.clean" in told()


def test_recorded_channels__node_still_to_be_cleaned__known_as_left_behind(stored_link: Link) -> None:
    """Else an old holder that came back would count as the channel again once the new one dies."""
    tick(stored_link)
    CleaningDue.objects.create(link=stored_link, node_id="n_b3", direction="forward")
    left_on = {record.direction.value: record.left_on for record in recorded_channels(stored_link.id)}
    assert left_on == {"forward": {"n_b3"}, "reverse": frozenset()}


def test_remember_identity__node_gone__its_server_id_stays(stored_link: Link) -> None:
    cluster = stored_link.active_cluster
    remember_identity(cluster, {"n_a1": up("a1"), "n_a2": up("a2")})
    remember_identity(cluster, {"n_a1": gone("a1"), "n_a2": up("a2")})
    cluster.refresh_from_db()
    assert cluster.known_server_ids == {"n_a1": 11, "n_a2": 12}


def test_link_view__monitor_silent__nothing_is_claimed(stored_link: Link) -> None:
    tick(stored_link)  # as of NOW, which is not now
    LinkStatus.objects.update(observed_at=at(NOW) - timedelta(days=400))
    view = selectors.link_view(stored_link, detailed=True)
    assert view["state"] == "unknown"
    assert view["sentence"].endswith("no monitor is running.")
    assert {channel["state"] for channel in view["channels"]} == {"unknown"}
    assert view["readiness"]["relocate"]["answer"] == "unknown"
    assert view["primary_action"] is None


def test_link_view__never_polled__unknown(stored_link: Link) -> None:
    view = selectors.link_view(stored_link, detailed=True)
    assert (view["state"], view["observed_at"]) == ("unknown", None)
    node = view["clusters"]["active"]["nodes"][0]
    assert (node["reach"], node["reachable"], node["channels"]) == ("unknown", None, None)


def test_link_facts__stored__equal_what_was_seen(stored_link: Link) -> None:
    tick(stored_link)
    assert selectors.link_facts(stored_link).nodes == link().nodes


def test_hold__two_monitors__one_writes_until_its_lease_lapses(stored_link: Link) -> None:
    assert lease.hold("one")
    assert lease.hold("one")
    assert not lease.hold("two")
    MonitorLease.objects.update(until=at(0))
    assert lease.hold("two")
    assert not lease.hold("one")
    lease.release("two")
    assert lease.hold("one")


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
        ("0-11-4,0-21-7", "site.rebootstrapped", "Reprotect milan"),
    ],
)
def test_lost_side_back_as_another_incarnation__told_apart_and_told_once(
    stored_link: Link, logged: str, kind: str, label: str
) -> None:
    tick(stored_link)
    lost, survivor = stored_link.active_cluster_id, stored_link.standby_cluster_id
    roles.record_divergence(stored_link.id, Divergence(lost, survivor, "1" * 8, NOW, run_id="r_1"))
    dead = {name: gone(name) for name in ("a1", "a2", "a3")}
    back = _copied("99999999-1111-1111-1111-111111111111", logged)
    for after, nodes in enumerate((dead, back, back, dead, back)):
        tick(stored_link, {**nodes, "b1": up("b1")}, after + 1)
    assert told().count(kind) == 1
    status = LinkStatus.objects.get()
    assert (status.primary_action or {})["label"].lower() == label.lower()
    codes = {finding["code"] for finding in status.findings}
    assert kind.replace("site.", "side_") in codes
    assert "state_uuid_changed" not in codes
