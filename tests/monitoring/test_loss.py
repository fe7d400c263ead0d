"""What a lost side is said to have had more: how many transactions, as of when."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.core.dialects import dialect_for
from backend.core.known_groups import AppliedPlace
from backend.core.link_state import History, view_directions
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import ChannelFacts, Direction, NodeFacts, PartedHalf, Reach, SeenTogether
from backend.gateway.polling.binlog_tail import BinlogTail
from backend.gateway.polling.pollers import Polled
from backend.monitoring.loss import COUNT_LIMIT, counted_unapplied, last_seen_of_active, unapplied_behind
from backend.monitoring.models import LinkStatus
from backend.monitoring.recording.links import store_link
from backend.monitoring.recording.nodes import store_nodes
from backend.monitoring.recording.replication_gap import Gap, gaps_of
from backend.monitoring.selectors import link_view
from backend.monitoring.times import from_unix
from tests.monitoring.facts import NOW, UUIDS, channel, gone, link, up, with_wsrep
from tests.monitoring.ticks import tick

pytestmark = pytest.mark.django_db


def side(reach: Reach | None = None) -> dict[str, NodeFacts]:
    """All of the active side, up or in that state."""
    return {name: up(name) if reach is None else gone(name, reach) for name in ("a1", "a2", "a3")}


def test_last_seen_of_active__silent_side_changes_its_reach__last_read_stays(stored_link: Link) -> None:
    tick(stored_link, side())
    tick(stored_link, side(Reach.HUNG), 2)
    tick(stored_link, {**side(Reach.HUNG), "a2": gone("a2", Reach.UNKNOWN)}, 600)
    tick(stored_link, side(Reach.DOWN), 1200)
    seen = last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s, seen.stopped_at_s) == (NOW, NOW + 2, NOW + 1200)


def test_last_seen_of_active__one_node_only_silent__not_seen_to_stop(stored_link: Link) -> None:
    tick(stored_link, side())
    tick(stored_link, {**side(Reach.DOWN), "a3": gone("a3", Reach.HUNG)}, 2)
    assert last_seen_of_active(stored_link).stopped_at_s is None


def test_last_seen_of_active__one_node_never_polled__not_seen_to_stop(stored_link: Link) -> None:
    closed = [gone("a1"), gone("a2"), gone("a3")]
    store_nodes({node.node.id: up(node.node.name.removeprefix("db-")) for node in closed[:2]}, from_unix(NOW))
    store_nodes({node.node.id: node for node in closed[:2]}, from_unix(NOW + 1))
    assert last_seen_of_active(stored_link).stopped_at_s is None
    store_nodes({node.node.id: node for node in closed}, from_unix(NOW + 2))
    assert last_seen_of_active(stored_link).stopped_at_s == NOW + 2


def test_last_seen_of_active__no_look_since__not_missed(stored_link: Link) -> None:
    tick(stored_link)
    seen = last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s, seen.stopped_at_s) == (NOW, None, None)


def test_last_seen_of_active__never_read__not_known(stored_link: Link) -> None:
    tick(stored_link, side(Reach.HUNG))
    assert last_seen_of_active(stored_link).last_seen_at_s is None


@pytest.mark.parametrize("changes", [{"cluster_status": "non-Primary"}, {"local_state": 2}])
def test_last_seen_of_active__a_node_cut_off_from_its_cluster_answers__it_is_not_the_side(
    stored_link: Link, changes: dict[str, object]
) -> None:
    tick(stored_link, side())
    node = up("a3")
    cut = replace(with_wsrep(node, **changes), observed_at_s=NOW + 60)
    tick(stored_link, {**side(Reach.HUNG), "a3": cut}, 60)
    seen = last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s) == (NOW, NOW + 60)


def test_last_seen_of_active__count_older_than_the_last_read__as_old_as_the_count(stored_link: Link) -> None:
    tick(stored_link)
    LinkStatus.objects.update(observed_at=from_unix(NOW - 300))
    assert last_seen_of_active(stored_link).last_seen_at_s == NOW - 300


DDL = None


def polled(name: str, *groups: int | None, reach: Reach = Reach.DOWN, first: int = 800, origin: int = 11) -> Polled:
    """A node whose log was followed over these groups (their seqnos), each 100 bytes long, until it went away."""
    tail, dialect = BinlogTail(FilePosition("binlog.000002", 4)), dialect_for("mariadb", "10.11.19-MariaDB")
    rows: list[tuple[object, ...]] = []
    for index, seqno in enumerate(groups):
        begin = first + 100 * index
        rows.append((b"", begin, b"Gtid", origin, begin + 50, b"GTID 0-11-7" if seqno is DDL else b"BEGIN GTID 0-11-7"))
        end = (b"Query", b"CREATE TABLE t (i int)") if seqno is DDL else (b"Xid", b"COMMIT /* xid=%d */" % seqno)
        rows.append((b"", begin + 50, end[0], origin, begin + 100, end[1]))
    tail.advance(lambda sql: rows, dialect, FilePosition("binlog.000002", first + 100 * len(groups)))
    return Polled(up(name) if reach is Reach.UP else gone(name, reach), None, tail)


@dataclass(frozen=True)
class Relay:
    """What the replica's relay log tells, without a server."""

    place: AppliedPlace | None

    def at(self, replica: NodeFacts, channel: ChannelFacts) -> AppliedPlace | None:
        """As prepared."""
        return self.place


def owed(stored: Link, *side: Polled, relay: AppliedPlace | None = None) -> int | None:
    """What the standby, at byte 900 of a1's log, lacks by these nodes' logs."""
    tick(stored)
    facts = link({node.facts.node.name.removeprefix("db-"): node.facts for node in side})
    seen = {node.node.id: node for node in facts.nodes}
    store_nodes(seen, from_unix(NOW + 60))
    store_link(stored, seen, {node.facts.node.id: node for node in side}, from_unix(NOW + 60), Relay(relay))
    return last_seen_of_active(stored).transactions


@pytest.mark.parametrize("reach", [Reach.UP, Reach.DOWN, Reach.HUNG])
def test_gap__source_died_before_its_neighbours__what_they_wrote_meanwhile_stays_counted(
    stored_link: Link, reach: Reach
) -> None:
    rest = polled("a2", 10, 11, 12, reach=reach), polled("a3", reach=reach)
    assert owed(stored_link, polled("a1", 10), *rest) == 2


def test_unapplied_behind__the_place_of_the_last_look__counted_there_and_nowhere_else(stored_link: Link) -> None:
    """A count of another place is one of before the drain, or of a monitor that stopped looking."""
    assert owed(stored_link, polled("a1", 10, 11), polled("a2", 10, 11), polled("a3", 10, 11)) == 1
    stood = link().standby.node("n_b1").channels
    assert stood is not None
    executed = stood[0].exec_position
    assert executed is not None
    assert unapplied_behind(stored_link.id, executed, None) == 1
    assert unapplied_behind(stored_link.id, replace(executed, offset=executed.offset + 1), None) is None
    assert unapplied_behind("l_unknown", executed, None) is None


def _counted(stored: Link, **changes: object) -> dict[Direction, int | None]:
    """What a plan takes for not applied, where the monitor counted four forward and could not count in reverse."""
    tick(stored)
    status = LinkStatus.objects.get()
    channels = [{**one, **changes} for one in status.channels]
    for one in channels:
        one["gap_transactions"] = 4 if one["direction"] == "forward" else None
    LinkStatus.objects.update(channels=channels, observed_at=timezone.now())
    return counted_unapplied(stored, link())


def test_counted_unapplied__just_polled__each_direction_as_the_monitor_counted(stored_link: Link) -> None:
    assert _counted(stored_link) == {Direction.FORWARD: 4, Direction.REVERSE: None}


def test_counted_unapplied__no_monitor_polls_any_more__unknown(stored_link: Link) -> None:
    assert _counted(stored_link)[Direction.FORWARD] == 4
    LinkStatus.objects.update(observed_at=timezone.now() - COUNT_LIMIT * 2)
    assert counted_unapplied(stored_link, link()) == {}
    LinkStatus.objects.all().delete()
    assert counted_unapplied(stored_link, link()) == {}


def test_counted_unapplied__counted_on_another_channel__unknown(stored_link: Link) -> None:
    assert _counted(stored_link, replica_node="n_b3")[Direction.FORWARD] is None


def test_counted_unapplied__a_stray_channel__says_nothing_of_its_direction(stored_link: Link) -> None:
    assert _counted(stored_link, stray=True)[Direction.FORWARD] is None


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
    node.tail.advance(lambda sql: [], dialect_for("mariadb", "10.11.19-MariaDB"), FilePosition("binlog.000099", 4))
    return node


def cut(name: str, *groups: int, reach: Reach, first: int = 800) -> Polled:
    """A node that stopped responding while its log was read behind these groups."""
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
    loss = last_seen_of_active(stored_link).to_json("Milan", NOW)
    told = {
        "trimmed": "At least 40,010 transactions",
        "jumped": "Every transaction of Milan that was read has arrived; ",
    }
    assert loss["detail"].startswith(told[neighbour])
    assert loss["transactions"] is None
    view = link_view(stored_link, detailed=True)
    assert {channel["gap_transactions"] for channel in view["channels"]} == {None}


@pytest.mark.parametrize("reach", [Reach.DOWN, Reach.HUNG])
def test_gap__nodes_fell_silent_while_their_logs_were_read__what_the_look_before_saw_counts(
    stored_link: Link, reach: Reach
) -> None:
    """A site that is killed within a look: its loss was reported as unknown."""
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
    newer = {node.node.id: replace(node, observed_at_s=NOW + 1) for node in link().nodes}
    store_nodes(newer, from_unix(NOW + 1), broken_off=newer)
    seen = last_seen_of_active(stored_link)
    assert (seen.last_seen_at_s, seen.missed_at_s) == (NOW, NOW + 1)


@pytest.mark.parametrize("reach", [Reach.UP, Reach.DOWN])
def test_gap__not_known__so_many_as_were_seen_are_named(stored_link: Link, reach: Reach) -> None:
    rest = jumped("a2", reach), polled("a3", 10, 11, 12, 13)
    assert owed(stored_link, polled("a1", 10, 11, 12), *rest) is None
    loss = last_seen_of_active(stored_link).to_json("Milan", NOW)
    assert loss["detail"].startswith("At least 3 transactions of Milan are not applied.")
    assert (loss["transactions"], loss["at_least"], loss["is_exact"], loss["counted_by"]) == (
        None,
        3,
        False,
        "logs_read",
    )


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
    joiner = replace(late, facts=with_wsrep(late.facts, local_state=3))
    assert owed(stored_link, polled("a1", 10), joiner, polled("a3", 10, 11, 12, 13)) == 3


def test_gap__source_answers_out_of_step__counted_by_its_neighbours(stored_link: Link) -> None:
    source = polled("a1", 10, reach=Reach.UP)
    donor = replace(source, facts=with_wsrep(source.facts, local_state=2))
    rest = polled("a2", 10, 11, 12, reach=Reach.UP), polled("a3", 10, 11, reach=Reach.UP)
    assert owed(stored_link, donor, *rest) == 2


@pytest.mark.parametrize("silent_since", [[9], [8, DDL]], ids=["numbered", "a DDL last"])
def test_gap__a_neighbour_long_down__its_log_ends_before_and_owes_nothing(
    stored_link: Link, silent_since: list[int | None]
) -> None:
    rest = polled("a2", 10, 11), polled("a3", *silent_since)
    assert owed(stored_link, polled("a1", 10), *rest) == 1


def test_gap__a_neighbour_never_followed__nothing_was_seen_of_it(stored_link: Link) -> None:
    unread = Polled(gone("a3"), None, BinlogTail(FilePosition("binlog.000002", 4)))
    assert owed(stored_link, polled("a1", 10, 11), polled("a2", 10), unread) == 1


def test_gap__no_number_known_where_the_replica_stands__not_known_once_a_neighbour_wrote(stored_link: Link) -> None:
    assert owed(stored_link, polled("a1", first=900), polled("a2"), polled("a3")) == 0
    assert owed(stored_link, polled("a1", DDL), polled("a2", 11), polled("a3")) is None


def at_least(stored: Link, *side: Polled, relay: AppliedPlace | None = None) -> int | None:
    """How many are known to be missing, where the whole number is not."""
    assert owed(stored, *side, relay=relay) is None
    return last_seen_of_active(stored).at_least


def test_gap__place_without_a_number__what_neighbours_wrote_after_the_source_counts_too(stored_link: Link) -> None:
    """The log was followed from the replica's very place on, so that no number stands before it."""
    side = polled("a1", 10, 11, first=900), polled("a2", 10, 11, 12, 13, reach=Reach.UP), polled("a3", 10, 11)
    assert at_least(stored_link, *side) == 4
    nothing_before = polled("a1", first=900), *side[1:]
    assert at_least(stored_link, *nothing_before) is None


def test_gap__source_of_a_half_died__its_half_tells_more_and_the_other_half_nothing(stored_link: Link) -> None:
    """What the other half wrote under the same numbers is in no position of the channel."""
    tick(stored_link)
    side = polled("a1", 10, 11), polled("a2", 10, 11, 12, reach=Reach.UP), polled("a3", 10, 11, 12, 13, 14)
    facts = link({node.facts.node.name.removeprefix("db-"): node.facts for node in side})
    seen = SeenTogether(UUIDS["a"], {}, parted=(PartedHalf(("n_a1", "n_a2")), PartedHalf(("n_a3",))))
    parted = replace(facts, active=replace(facts.active, seen_together=seen))
    views = view_directions(parted, History(), NOW)
    by_id = {node.facts.node.id: node for node in side}
    assert gaps_of(parted, views, by_id, Relay(None))[Direction.FORWARD] == Gap(None, 2)
    alone = replace(seen, parted=(PartedHalf(("n_a1",)), PartedHalf(("n_a2", "n_a3"))))
    parted = replace(facts, active=replace(facts.active, seen_together=alone))
    assert gaps_of(parted, views, by_id, Relay(None))[Direction.FORWARD] == Gap(None, 1)


def left_behind() -> Polled:
    """The last read of the source ended at byte 800; the replica is at 900: it has applied more than was read."""
    return polled("a1", 10, first=700)


def test_gap__replica_beyond_the_last_read_of_its_source__its_relay_log_tells_from_where_to_count(
    stored_link: Link,
) -> None:
    """Under load it always is: the loss of a site was called unknown beside two numbers that told it."""
    side = left_behind(), polled("a2", 10, 11, 12, 13), polled("a3", 10, 11, 12)
    assert owed(stored_link, *side, relay=AppliedPlace(11)) == 2


def test_gap__beyond_the_last_read_and_no_relay_log__neither_number_nor_bound(stored_link: Link) -> None:
    """The replica may have any of what a neighbour was read to have written."""
    side = left_behind(), polled("a2", 10, 11, 12, 13), polled("a3", 10, 11, 12)
    assert at_least(stored_link, *side) is None


def test_gap__replica_beyond_everything_that_was_read__known_0_is_no_loss_of_0(stored_link: Link) -> None:
    side = left_behind(), polled("a2", 10, 11), polled("a3", 10)
    assert at_least(stored_link, *side, relay=AppliedPlace(14)) == 0
    loss = last_seen_of_active(stored_link).to_json("Milan", NOW)
    assert loss["detail"].startswith("Every transaction of Milan that was read has arrived; how many more it wrote is ")
    readiness = LinkStatus.objects.get().readiness["failover"]
    assert (readiness["state"], readiness["loss_transactions"], readiness["loss_at_least"]) == ("unknown", None, 0)


def test_gap__replica_where_the_last_read_of_a_neighbour_ended__all_that_is_known_has_arrived(
    stored_link: Link,
) -> None:
    side = left_behind(), polled("a2", 10, 11), polled("a3", 10)
    assert owed(stored_link, *side, relay=AppliedPlace(11)) == 0


def test_gap__source_died_under_load_and_neighbours_serve__counted_from_the_relay_log(stored_link: Link) -> None:
    rest = polled("a2", 10, 11, 12, 13, reach=Reach.UP), polled("a3", 10, 11, 12, reach=Reach.UP)
    assert owed(stored_link, left_behind(), *rest, relay=AppliedPlace(11)) == 2


def test_gap__the_sentence_says_at_least__only_of_a_side_that_nobody_reads_any_more(stored_link: Link) -> None:
    side = polled("a1", 10, 11), polled("a2", 10, 11), polled("a3", 10)
    assert owed(stored_link, *side) == 1
    assert "at least 1 transaction would be lost" in LinkStatus.objects.get().readiness["failover"]["sentence"]


def test_gap__lost_side__what_was_read_is_stored_for_the_run_that_drains_the_relay_log(stored_link: Link) -> None:
    side = polled("a1", 10, 11), polled("a2", 10, 11, 12, 13), polled("a3", 10)
    assert owed(stored_link, *side) == 3
    elsewhere = FilePosition("binlog.000002", 1_400)
    assert unapplied_behind(stored_link.id, elsewhere, AppliedPlace(12)) == 1
    assert unapplied_behind(stored_link.id, elsewhere, AppliedPlace(40)) == 0
    assert unapplied_behind(stored_link.id, elsewhere, None) is None


def test_gap__monitor_began_after_the_loss__counts_in_what_was_stored_before(stored_link: Link) -> None:
    owed(stored_link, polled("a1", 10, 11), polled("a2", 10, 11, 12), polled("a3", 10))
    unread = [Polled(gone(name), None, BinlogTail()) for name in ("a1", "a2", "a3")]
    seen = {node.node.id: node for node in link({name: gone(name) for name in ("a1", "a2", "a3")}).nodes}
    by_id = {node.facts.node.id: node for node in unread}
    store_link(stored_link, seen, by_id, from_unix(NOW + 61), Relay(AppliedPlace(11)))
    found = last_seen_of_active(stored_link)
    assert (found.transactions, found.at_least) == (None, 1)


def test_gap__origins_that_the_channel_ignores__are_never_missing(stored_link: Link) -> None:
    """A third server feeds the source, and the channel leaves its transactions out on purpose."""
    side = [polled(name, 10, 11, 12, origin=900) for name in ("a1", "a2", "a3")]
    replica = up("b1", channel("a1", ignore_server_ids=(21, 22, 23, 900)))
    tick(stored_link)
    facts = link({"b1": replica})
    lost = {node.node.id: node for node in facts.nodes} | {one.facts.node.id: one.facts for one in side}
    store_nodes(lost, from_unix(NOW + 60))
    store_link(stored_link, lost, {one.facts.node.id: one for one in side}, from_unix(NOW + 60))
    assert last_seen_of_active(stored_link).transactions == 0
