"""What is read of a log where content alone names the position: all from the sample on, each event once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.binlog.events import Cursor, LogEvent
from backend.core.binlog.groups import foreign_to
from backend.core.binlog.window import page_boundaries, read_window, to_log_end
from backend.core.locate.evidence import LowerBound, SeqnoClue
from backend.core.locate.last_applied import LastApplied
from backend.core.locate.locator import locate
from backend.core.locate.model import Search
from backend.core.locate.search_range import whole_range, window_for
from backend.core.orphans.scan import groups_before
from backend.core.ports import NodeError
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from tests.core.builders.built_logs import log_of
from tests.core.builders.examples import examples
from tests.core.builders.worlds import ask, forward, forward_search, still
from tests.fakes.journal import FakeCheckpoint
from tests.fakes.world import FakeWorld

IN_STREAM = foreign_to((99,))


@examples(60)
@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 12))
def test_whole_stretch__read_in_two_goes__as_if_in_one(sampled: int, begun: int, groups: int) -> None:
    log = log_of([("dml", 40)])
    places = [placed.start for placed in log.placed]
    lower_bound = LowerBound(seqno=log.placed[sampled].xid or 0, observed_at_s=0.0, detail="sampled", is_exact=True)
    search = Search(
        Direction.FORWARD, "b1", "n_b1", "a1", "a1", (99,), log, log, "no number", lower_bound=lower_bound,
        source_checkpoints=lambda seqno: (p.start for p in reversed(log.placed) if (p.xid or 0) <= seqno),
    )  # fmt: skip
    read = read_window(Cursor(log), places[begun], IN_STREAM, lambda _: False, following=0)
    whole = whole_range(search, Cursor(log), groups, read)
    assert whole is not None
    assert whole.stream == read_window(Cursor(log), whole.start, IN_STREAM, lambda _: False, following=0).stream


def test_locate__replica_down_and_much_waits__each_event_is_read_once() -> None:
    """What the first look read to the log's end is not read again from further back."""
    world = FakeWorld.classic()
    world.write_times(20, "a1", remembers=True)
    world.kill("b1")
    for each in range(1_000):
        world.write("a1")
        if each % 500 == 0:
            world.node("a2").log.rotate()
            world.remember()
    located = forward(ask(world, "a2", "b2"))
    assert located.is_proven
    assert located.searched_events < 1.5 * sum(len(file.events) for file in world.node("a2").log.retained)


@pytest.mark.parametrize("files", [4, 40])
def test_locate__idle_stream_over_many_files_and_no_journal__proven_and_read_once(files: int) -> None:
    """Its last eight groups stood in more files than were looked through: evidence "disagreed" (the oracle)."""
    world = FakeWorld.classic()
    for _ in range(files):
        world.write("b1")
        world.write_times(40, "a1")
        world.tick()
        world.node("b1").log.rotate()
    world.journal.samples.clear()
    still(world)
    located = next(located for question, located in ask(world, "a2", "b1") if question.direction is Direction.REVERSE)
    assert located.is_proven, located.reasons
    assert located.seqno == next(p.xid for p in reversed(world.node("b1").log.placed) if p.txn.server_id == 21)
    written = [sum(len(file.events) for file in world.node(name).log.retained) for name in ("a2", "b1")]
    assert located.searched_events < 2 * sum(written)


@pytest.mark.parametrize(("changed", "is_read_whole"), [(None, True), (11, False), (9, False)])
def test_window_for__what_stands_before_the_number_disagrees__no_earlier_file_is_read(
    changed: int | None, is_read_whole: bool
) -> None:
    """It is refused whatever stands further back: a log of days is not read for that."""
    log = log_of([("dml", 1), ("rotate", 1)] * 12)
    held = read_window(Cursor(log), log.placed[0].start, IN_STREAM, to_log_end, following=0).stream
    groups = [replace(group, content="another") if i == changed else group for i, group in enumerate(held)]
    clue = SeqnoClue(held[-1].xid or 0, 0, "relay log", "read", is_exact=True)
    search = Search(Direction.FORWARD, "b1", "n_b1", "a1", "a1", (99,), log, log, clue)
    window, _ = window_for(search, Cursor(log), LastApplied(tuple(groups), None, is_whole_history=True))
    assert window is not None
    assert (window.stream == held) is is_read_whole


def test_up_to__place_deep_inside_a_long_group__read_back_to_where_the_group_begins() -> None:
    """A stretch without the beginning of any group says nothing yet: its place would pass for one between groups."""
    log = log_of([("dml", 3), ("big", 70_000), ("dml", 2)])
    inside = page_boundaries(Cursor(log), log.retained[0].name)[-1]
    window = groups_before(Cursor(log), inside, IN_STREAM, 3)
    assert window is not None
    assert [group.xid for group in window.stream] == [placed.xid for placed in log.placed[:4]]
    assert inside < window.end


def test_source_checkpoints__ever_further_back__each_at_most_twice_as_far() -> None:
    """A stream that was silent for a minute needs neither the last second of the log nor the last ten minutes."""
    world = FakeWorld.classic()
    source, last, apart = world.node("a2"), 300_000, 100
    places = {n: FilePosition("binlog.000001", n) for n in range(100_000, last + 1, apart)}
    for seqno, position in places.items():
        world.journal.add(FakeCheckpoint(source.ref.id, world.a.uuid, position, seqno, float(seqno), exact=True))
    search = forward_search(world)
    back = [last - position.offset for position in search.source_checkpoints(last)]
    assert back[0] == 0
    assert back[-1] >= 100_000
    assert all(farther <= 2 * max(earlier, apart) for earlier, farther in pairwise(back)), back


def odd(place: FilePosition) -> FilePosition:
    """No event begins there."""
    return replace(place, offset=place.offset | 1)


@pytest.mark.parametrize("node", ["a2", "b2"])
def test_locate__places_of_the_journal_are_no_events_of_this_log__read_without_them(node: str) -> None:
    """A node set back to an older copy has other contents under the names that the journal knows."""
    world = FakeWorld.classic()
    world.write_times(20, "a1", remembers=True)
    search = forward_search(still(world))
    log = search.source_log if node == "a2" else search.receiving_log

    class Log:
        """As a server: an offset at which no event begins is an error."""

        row_images, forms, files = log.row_images, log.forms, log.files

        def events(self, file: str, offset: int, *, limit: int, skip: int = 0) -> Sequence[LogEvent]:
            if offset % 2:
                raise NodeError(node, "error 1220: Wrong offset or I/O error", code=1220)
            return log.events(file, offset, limit=limit, skip=skip)

    shifted = replace(
        search,
        source_log=Log() if node == "a2" else search.source_log,
        receiving_log=Log() if node == "b2" else search.receiving_log,
        source_checkpoints=lambda seqno: map(odd, search.source_checkpoints(seqno)),
        tail_starts=[
            replace(s, position=replace(s.position, offset=s.position.offset | 1)) for s in search.tail_starts
        ],
    )
    assert locate(shifted).position == locate(search).position
    assert locate(shifted).is_proven
