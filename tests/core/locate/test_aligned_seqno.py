"""The recipe of 2014 as a hint: shown, accepted only where content agrees, refused once the counters drift."""

from __future__ import annotations

from backend.core.locate.evidence import Evidence, Family
from backend.core.locate.model import Located
from tests.core.builders.worlds import ask, forward, wrong
from tests.fakes.world import FakeWorld


def world_of(*, drift: int = 0, statement: str | None = None) -> FakeWorld:
    """Only A writes, both counters stand level (or `drift` apart); nodes number GTIDs for themselves."""
    world = FakeWorld()
    world.b.seqno = world.a.seqno + drift
    world.node("a1").gtid_seq = 3
    world.connect_both_ways()
    world.write_times(20, "a1", statement, ticks=True)
    return world


def hint(located: Located) -> Evidence:
    """What the aligned family said."""
    return next(e for e in located.evidence if e.family is Family.ALIGNED_SEQNO)


def says(located: Located) -> dict[Family, bool | None]:
    """What each family said."""
    return {e.family: e.agrees for e in located.evidence}


def test_aligned__counters_level__names_the_same_place_and_is_accepted() -> None:
    world = world_of()
    world.kill("a1")
    world.write("a2")
    located = forward(ask(world, "a2", "b1"))
    assert located.is_proven, located.reasons
    assert says(located)[Family.SEQNO] is True
    assert hint(located).agrees is True
    assert hint(located).facts["accepted"] is True


def test_aligned__counters_drifted__hint_refused_by_name_and_the_place_proven_by_the_others() -> None:
    world = world_of(drift=3)
    world.kill("a1")
    world.write("a2")
    located = forward(ask(world, "a2", "b1"))
    assert located.is_proven, located.reasons
    assert wrong(world, located) is None
    assert hint(located).agrees is None
    assert hint(located).facts == {"seqno": 123, "accepted": False, "drift": 3}
    assert "drifted by +3" in hint(located).detail


def test_aligned__channel_moves__counter_is_not_read() -> None:
    located = forward(ask(world_of(), "a2", "b1"))
    assert hint(located).agrees is None
    assert "still running" in hint(located).detail


def test_aligned__only_partner_of_unique_content__proven_while_level_refused_once_drifted() -> None:
    """No relay log, no sample, no common GTIDs: content stands once, and only the hint could corroborate it."""
    proven = {}
    for drift in (0, 2):
        world = world_of(drift=drift)
        world.kill("b1")
        world.write("a1")
        located = forward(ask(world, "a2", "b2"))
        assert says(located)[Family.CONTENT] is True
        proven[drift] = located.is_proven
        if not located.is_proven:
            assert "Only one evidence source" in " ".join(located.reasons)
    assert proven == {0: True, 2: False}


def test_aligned__only_partner_and_content_cannot_tell__refused_though_level() -> None:
    """A stream of identical statements: a number alone must not choose among them."""
    world = world_of(statement="UPDATE counters SET n=n+1")
    world.kill("b1")
    world.write("a1", "UPDATE counters SET n=n+1")
    located = forward(ask(world, "a2", "b2"))
    assert not located.is_proven
    assert hint(located).agrees is None
    assert "counts only where content agrees" in hint(located).detail


def test_aligned__number_without_a_xid__not_accepted() -> None:
    """The last thing applied was DDL, which carries no Xid."""
    world = world_of()
    world.write("a1", "ALTER TABLE t ADD c INT", kind="ddl")
    world.tick()
    world.kill("a1")
    world.write("a2")
    located = forward(ask(world, "a2", "b1"))
    assert located.is_proven, located.reasons
    assert hint(located).facts["accepted"] is False
