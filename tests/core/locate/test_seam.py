"""The seam between the log that a channel has read and the one that its source has now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from backend.core.link_facts import Divergence, LogBreak
from backend.core.locate.locator import locate
from backend.core.locate.model import Located
from backend.core.locate.search_inputs import build_search
from backend.core.plans.context import locate_requests
from backend.core.positions import FilePosition
from backend.core.topology import Direction
from tests.core.builders.worlds import ask, forward, forward_search, still, wrong
from tests.fakes.gateway import FakeGateway
from tests.fakes.plans import context_of, plan_relocate, plan_remove
from tests.fakes.sites import passive, plan_failover, plan_switchover
from tests.fakes.world import FakeWorld

SENTENCE = "mariadb-bin.000001 of a1 is another file of the same name"


def broken(world: FakeWorld, *, seqno: int | None, seen_s: float | None = 10_000.0, uuid: str | None = None) -> None:
    """What the monitor stores of the forward channel: this seqno was applied, and seen then."""
    cause = LogBreak("source_log_replaced", SENTENCE, 0.0, uuid or world.a.uuid, seqno, seen_s)
    world.recorded = [replace(r, log_break=cause) if r.direction is Direction.FORWARD else r for r in world.recorded]


def last_applied(world: FakeWorld) -> int:
    """The source's number of the last transaction that its standby holds."""
    applied = {placed.txn.uid for placed in world.node("b1").log.placed}
    return max(p.xid for p in world.node("a1").log.placed if p.xid is not None and p.txn.uid in applied)


def moved(world: FakeWorld, source: str = "a2", replica: str = "b2") -> Located:
    return forward(ask(world, source, replica))


def skipping(count: int) -> tuple[FakeWorld, int]:
    """The channel left out some transactions, and applied others behind them; the seqno applied before those."""
    world = FakeWorld.classic()
    before = last_applied(world)
    (channel,) = world.node("b1").channels.values()
    for _ in range(count):
        channel.skips.add(world.write("a1").uid)
        world.tick()
    world.write_times(12, "a1", ticks=True)
    world.remember()
    return still(world), before


def test_relocate__nothing_left_out_since_the_seam__proven_at_the_true_place() -> None:
    world = still(FakeWorld.classic())
    broken(world, seqno=last_applied(world))
    located = moved(world)
    assert located.is_proven, located.reasons
    assert wrong(world, located) is None
    assert located.facts["seam_seqno"] == last_applied(world)


def test_relocate__more_was_applied_since_the_seam__all_of_it_is_compared() -> None:
    world, before = skipping(0)
    broken(world, seqno=before)
    located = moved(world)
    assert located.is_proven, located.reasons
    assert wrong(world, located) is None


def test_relocate__transactions_left_out__refused_not_hidden() -> None:
    """Others were applied behind them, so content alone names the place behind the gap."""
    for count in (1, 5):
        world, before = skipping(count)
        assert moved(world).is_proven
        broken(world, seqno=before)
        located = moved(world)
        assert not located.is_proven
        assert located.facts["code"] == "seam_not_proven"
        assert "left out" in located.reasons[0]


def test_relocate__channel_runs_on_while_it_is_planned__what_arrives_meanwhile_is_no_gap() -> None:
    world = FakeWorld.classic()
    broken(world, seqno=last_applied(world))
    ctx = context_of(world, "a2", "b2")
    question = next(q for q in locate_requests(ctx.moves) if q.direction is Direction.FORWARD)
    search = build_search(question, ctx.link, FakeGateway(world, moves=False), world.journal)
    assert search.seam is not None
    arrived: list[int] = []

    def written_at(place: FilePosition) -> int | None:
        if not arrived:
            world.write_times(3, "a1", ticks=True)
            arrived.append(1)
        return FakeGateway(world, moves=False).written_at("n_a2", place)

    located = locate(replace(search, seam=replace(search.seam, written_at=written_at)))
    assert arrived
    assert located.is_proven, located.reasons


def test_relocate__transactions_left_out__the_channels_can_be_removed_for_a_copy() -> None:
    """The standby cannot be failed over to for its data: the active side has it, and is copied."""
    world, before = skipping(1)
    broken(world, seqno=before)
    remedy = str(moved(world).facts["remedy"])
    assert "If the active side's counts, remove the channels, and create them again on a copy of it." in remedy
    assert not plan_remove(world).is_refused


def test_relocate__number_given_out_again_after_it_was_seen__refused() -> None:
    """A cluster that was set back: the same number at the same place, written after the number was seen applied."""
    world = still(FakeWorld.classic())
    broken(world, seqno=last_applied(world), seen_s=-100.0)
    located = moved(world)
    assert not located.is_proven
    assert "given out again" in located.reasons[0]


def test_relocate__seam_does_not_stand_in_the_log__refused() -> None:
    world = still(FakeWorld.classic())
    broken(world, seqno=last_applied(world) + 500)
    assert not moved(world).is_proven


@pytest.mark.parametrize(
    "unknown",
    [{"seqno": None}, {"seqno": 3, "seen_s": None}, {"seqno": 3, "uuid": "another"}],
    ids=["seqno", "time", "uuid"],
)
def test_relocate__what_was_applied_before_is_unknown__refused(unknown: dict[str, object]) -> None:
    world = still(FakeWorld.classic())
    broken(world, **unknown)  # type: ignore[arg-type]
    assert not moved(world).is_proven


def test_relocate__time_of_the_seam_cannot_be_read__refused(monkeypatch: pytest.MonkeyPatch) -> None:
    world = still(FakeWorld.classic())
    broken(world, seqno=last_applied(world))
    monkeypatch.setattr("tests.fakes.gateway.FakeGateway.written_at", lambda *_: None)
    located = moved(world)
    assert not located.is_proven
    assert "unknown" in located.reasons[0]


def test_search__after_a_failover__the_divergence_point_is_proven_instead() -> None:
    world = still(FakeWorld.classic())
    broken(world, seqno=last_applied(world))
    assert forward_search(world).seam is not None
    world.divergence = Divergence(world.a.id, world.b.id, world.a.uuid, 0.0)
    assert forward_search(world).seam is None


def test_relocate__onto_the_same_nodes__is_no_move_that_is_needless() -> None:
    world = FakeWorld.classic()
    broken(world, seqno=last_applied(world))
    plan = plan_relocate(world, "a1", "b1")
    assert "already_there" not in {finding.code for finding in plan.findings}
    (warning,) = [finding for finding in plan.findings if finding.code == "source_log_replaced"]
    assert not warning.refuses
    assert plan.steps


def refusing(plan: object) -> set[str]:
    return {finding.code for finding in plan.findings if finding.refuses}  # type: ignore[attr-defined]


def test_switchover__through_a_channel_of_another_log__refused() -> None:
    world = passive(FakeWorld.classic())
    assert "source_log_replaced" not in refusing(plan_switchover(world))
    broken(world, seqno=3)
    assert "source_log_replaced" in refusing(plan_switchover(world))


def test_failover__through_a_channel_of_another_log__only_if_the_loss_is_accepted() -> None:
    world = passive(FakeWorld.classic())
    world.kill_side(world.a)
    broken(world, seqno=3)
    assert "standby_not_proven_whole" in refusing(plan_failover(world, accepts_loss=False))
    assert "standby_not_proven_whole" not in refusing(plan_failover(world, accepts_loss=True))


def test_failover__relay_log_holds_more_of_another_history__refused_even_then() -> None:
    world = passive(FakeWorld.classic())
    world.backlog = 2
    world.write_times(3, "a1", ticks=True)
    world.kill_side(world.a)
    broken(world, seqno=3)
    (channel,) = world.node("b1").channels.values()
    assert channel.pending
    assert "relay_log_of_another_history" in refusing(plan_failover(world, accepts_loss=True))
