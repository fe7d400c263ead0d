"""The locator's cases one by one: what proves, what refuses, and with which words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from backend.core.binlog.events import EventSource, LogEvent
from backend.core.locate.evidence import Family
from backend.core.locate.locator import locate
from backend.core.locate.model import Located
from backend.core.positions import FilePosition
from tests.core.builders.worlds import REPEATED, ask, both, forward, forward_search, stall, still
from tests.fakes.journal import FakeCheckpoint
from tests.fakes.monitor import sample
from tests.fakes.world import FakeWorld


def families(located: Located) -> dict[Family, bool | None]:
    """What each said."""
    return {e.family: e.agrees for e in located.evidence}


@pytest.mark.parametrize("has_gtid_mode", [False, True])
@pytest.mark.parametrize(("lost", "pair"), [("a1", ("a2", "b1")), ("b1", ("a1", "b2")), ("a1 b1", ("a3", "b3"))])
def test_locate__node_lost_with_groups_waiting__proven_both_ways(
    lost: str, pair: tuple[str, str], has_gtid_mode: bool
) -> None:
    world = FakeWorld.classic(has_gtid_mode=has_gtid_mode)
    for node in lost.split():
        world.kill(node)
    for _ in range(3):
        world.write(pair[0])
    for located in both(world, *pair):
        assert located.is_proven, located.reasons
        assert families(located)[Family.CONTENT] is True


def test_locate__relay_log_at_hand__seqno_names_the_place_and_content_agrees() -> None:
    world = FakeWorld.classic()
    world.write("a1")
    world.tick()
    located, _ = both(still(world), "a2", "b2")
    assert located.is_proven
    assert families(located)[Family.SEQNO] is True
    assert families(located)[Family.CONTENT] is True
    assert located.seqno == world.a.seqno


def test_locate__ddl_last__resumed_behind_it() -> None:
    world = FakeWorld.classic()
    world.write("a1")
    world.write("a1", "ALTER TABLE orders ADD c INT", kind="ddl")
    world.tick()
    still(world)
    world.write("a2")
    located, _ = both(world, "a2", "b2")
    assert located.is_proven
    assert located.source_groups[-1].kind == "ddl"


def test_locate__ddl_waits_behind_the_last_applied__not_skipped() -> None:
    world = still(FakeWorld.classic())
    world.write("a1", "ALTER TABLE orders ADD c INT", kind="ddl")
    located, _ = both(world, "a2", "b2")
    assert located.is_proven
    assert located.next_groups[0].kind == "ddl"


def test_locate__passive_standby_never_wrote__its_emptiness_is_evidence() -> None:
    world = FakeWorld().connect_both_ways()
    world.write_times(5, "a1", ticks=True)
    world.remember()
    world.kill("a1")
    _, reverse = both(world, "a2", "b1")
    assert reverse.is_proven
    assert reverse.applied == ()


def test_locate__standby_never_wrote_and_its_logs_are_purged__refused_without_a_sample() -> None:
    world = FakeWorld().connect_both_ways()
    world.write("a1")
    world.tick()
    for node in ("b1", "b2", "a2"):
        world.node(node).log.rotate()
        world.node(node).log.purge(1)
    world.kill("a1")
    _, reverse = both(world, "a2", "b2")
    assert not reverse.is_proven


def test_locate__idle_and_sampled_to_its_last_group__compared_with_those_before_the_sample() -> None:
    """All groups to compare lie before the last sample: reading from there on would find none of them."""
    world = FakeWorld.classic()
    world.node("a1").gtid_seq += 3
    world.write_times(12, "a1", remembers=True)
    receiving = world.node("b2").ref.id
    of_others = [s for s in world.journal.samples if s.node_id != receiving]
    world.journal.samples = of_others + [s for s in world.journal.samples if s.node_id == receiving][:2]
    world.kill("b1")
    world.write("a2")
    located, _ = both(world, "a2", "b2")
    assert located.is_proven, located.reasons


def test_locate__empty_since_the_sample_and_nothing_waits__proven_at_the_sample() -> None:
    world = FakeWorld.classic()
    for _ in range(4):
        world.remember()
    world.kill("a1")
    located, reverse = both(world, "a2", "b1")
    assert located.is_proven
    assert reverse.is_proven


def test_locate__replica_stalled_before_it_died__its_sample_is_not_believed_over_content() -> None:
    world = FakeWorld.classic()
    for _ in range(2):
        world.remember()
    world.write("a1")
    stall(world, "b1")
    world.clock.time_s += 3
    for node in world.nodes:
        if node.name != "b1":
            world.journal.add(replace(sample(world, node), observed_at_s=world.clock.now_s()))
    world.clock.time_s += 60
    world.journal.add(sample(world, world.node("b2")))
    world.kill("b1")
    located, _ = both(world, "a2", "b2")
    assert located.is_proven


def test_locate__sample_of_which_the_seqno_was_read_too_late__not_a_floor() -> None:
    world = FakeWorld.classic()
    node, end = world.node("a1"), world.node("a1").log.end
    world.write("a2")
    world.journal.samples = [s for s in world.journal.samples if s.node_id != node.ref.id]
    world.journal.add(FakeCheckpoint(node.ref.id, world.a.uuid, end, world.a.seqno, world.clock.now_s(), exact=False))
    for name in ("b1", "b2", "a2"):
        world.journal.add(sample(world, world.node(name)))
    world.recorded = [replace(r, observed_at_s=world.clock.now_s() + 5) for r in world.recorded]
    world.kill("a1")
    world.kill("b1")
    both(world, "a2", "b2")


@pytest.mark.parametrize("ahead", ["a1", "a2"])
def test_locate__nodes_numbering_far_apart__read_from_the_sample_on(ahead: str) -> None:
    """The longer servers live and restart, the further their own numbers part: 4,400 after half an hour was seen.

    Numbers of one node say nothing of another's log; taken for a bound, they sent the search through all that was
    retained (2.6 million events, half a minute).
    """
    world = FakeWorld.classic()
    world.node(ahead).gtid_seq += 5_000
    for _ in range(40):
        world.write_times(30, "a1")
        world.tick()
        world.remember()
    located, _ = both(world, "a2", "b2")
    assert located.is_proven, located.reasons
    assert located.from_checkpoint
    assert located.searched_events < 1_500, located.searched_events


class Behind:
    """A log of a node that has not yet applied all that its cluster committed."""

    def __init__(self, log: EventSource, last: FilePosition) -> None:
        self._log, self._last, self.has_come = log, last, False
        self.row_images = log.row_images
        self.forms = log.forms

    def files(self) -> Sequence[tuple[str, int]]:
        """As they are."""
        return self._log.files()

    def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
        """Up to what was applied."""
        found = self._log.events(file, offset, limit=limit, skip=skip)
        return [e for e in found if self.has_come or FilePosition(e.file, e.pos) < self._last]

    def come(self) -> None:
        """It has all of it."""
        self.has_come = True


@pytest.mark.parametrize("is_waited_for", [True, False])
def test_locate__new_source_still_catching_up__waited_for_and_no_more_is_read_in_vain(is_waited_for: bool) -> None:
    """Groups that the node did not hold yet were looked for in all that it retained: 1.7 million events, 157 s."""
    world = FakeWorld.classic()
    for _ in range(40):
        world.write_times(30, "a1")
        world.tick()
        world.remember()
    world.write("a1")
    world.tick()
    search = forward_search(world)
    behind = Behind(search.source_log, world.node("a2").log.placed[-1].start)
    search = replace(search, source_log=behind, seqno_clue="The channel is still running.")
    located = locate(replace(search, sync_source=behind.come) if is_waited_for else search)
    assert located.is_proven == is_waited_for, located.reasons
    assert located.searched_events < 1_500, located.searched_events


def test_locate__content_differs_on_the_new_source__refused() -> None:
    world = still(FakeWorld.classic())
    log = world.node("a2").log
    row = next(e for e in reversed(log.retained[-1].events) if e.type == "Annotate_rows" and e.server_id < 20)
    log.tamper(row.file, row.pos, lambda e: e._replace(info=e.info + " -- other"))
    located, _ = both(world, "a2", "b2")
    assert not located.is_proven
    assert located.position is None or located.reasons


def test_locate__number_stands_twice__refused() -> None:
    world = FakeWorld.classic()
    world.write("a1")
    world.tick()
    still(world)
    last = world.node("a2").log.placed[-1]
    assert last.xid is not None
    world.node("a2").log.append(world.txn("a2", is_local=True), last.xid)
    located, _ = both(world, "a2", "b2")
    assert not located.is_proven
    assert any("2 times" in reason for reason in located.reasons)


def test_locate__groups_before_the_position_purged__refused_and_named() -> None:
    """Nothing disagrees: the log of the new source begins too late to compare all that was applied."""
    world = FakeWorld.classic()
    world.node("a2").log.rotate()
    world.write_times(3, "a1")
    world.tick()
    world.node("a2").log.purge(1)
    world.journal.samples.clear()
    located, _ = both(still(world), "a2", "b2")
    assert not located.is_proven
    assert located.facts["code"] == "purged"
    assert "have to be compared" in located.reasons[0]


def test_locate__position_purged_from_the_new_source__refused_and_named() -> None:
    world = still(FakeWorld.classic())
    log = world.node("a2").log
    log.rotate()
    world.write("a2")
    log.rotate()
    log.purge(2)
    world.write_times(12, "a2")
    located, _ = both(world, "a2", "b2")
    assert not located.is_proven
    assert located.reasons


@pytest.mark.parametrize("node", ["a2", "b2"])
def test_locate__event_of_unknown_type__refused_by_its_name(node: str) -> None:
    world = still(FakeWorld.classic())
    world.node(node).log.put_event("XA_prepare", "XA PREPARE X'61'")
    for _ in range(10):
        world.write(node)
    answers = both(world, "a2", "b2")
    refused = [a for a in answers if not a.is_proven]
    assert refused
    assert all("XA_prepare" in a.reasons[0] for a in refused)
    assert {a.facts["code"] for a in refused} == {"log_event_unknown"}


def test_locate__node_local_writes_around__never_taken_for_seqnos() -> None:
    world = FakeWorld.classic()
    for _ in range(4):
        world.remember()
    for _ in range(3):
        world.write_local("a2")
    world.kill("b1")
    world.write("a1")
    world.write_local("a2")
    world.write("a1")
    world.write_local("a2")
    both(world, "a2", "b2")


@pytest.mark.parametrize("by", [-30, -5, 5, 30, 1_000])
def test_locate__checkpoint_hints_lie__same_answer_or_refused(by: int) -> None:
    world = FakeWorld.classic()
    for n in range(30):
        world.write("a1", REPEATED[n % 2] if n % 3 else None)
    world.tick()
    honest = forward(ask(world, "a2", "b2"))
    log = world.node("a2").log
    for placed in log.placed[::3]:
        seqno = max(0, (placed.xid or 0) + by)
        world.journal.add(FakeCheckpoint("n_a2", world.a.uuid, placed.end, seqno, world.clock.now_s(), exact=False))
    located, _ = both(world, "a2", "b2")
    assert not located.is_proven or located.position == honest.position


def test_locate__other_history_than_the_journals__its_samples_are_not_used() -> None:
    world = FakeWorld.classic()
    world.kill("b1")
    world.a.uuid = "99999999-0000-0000-0000-000000000001"
    located, _ = both(world, "a2", "b2")
    assert families(located).get(Family.JOURNAL) is None


def test_locate__new_source_silent__refused_by_name() -> None:
    world = FakeWorld.classic()
    link_world = ask(world, "a2", "b2")
    assert all(located.is_proven for _, located in link_world)
    world.node("a2").log.retained[0].name = "mariadb-bin.000099"
    for located in both(world, "a2", "b2"):
        assert located.is_proven or located.reasons


def test_locate__proof__shows_both_lists_side_by_side() -> None:
    world = still(FakeWorld.classic())
    world.write("a1")
    located, _ = both(world, "a2", "b2")
    assert [g.content for g in located.applied] == [g.content for g in located.seam_groups]
    assert [g.xid for g in located.next_groups] == [world.a.seqno]
    assert located.source_groups[-1].end_position == located.position
