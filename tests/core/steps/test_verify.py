"""What a verification notices of the channel that a run set up."""

from __future__ import annotations

import pytest

from tests.core.builders.situations import situation
from tests.fakes.driver import at_start_of, end_of, run_to_end


def verified_with(name: str, ignored: tuple[int, ...]) -> tuple[str, str]:
    """How a run ends whose new forward channel ignores these server_ids when it is verified."""
    world, plan = situation(name).build()

    def change_guard() -> None:
        step = next(s for s in plan.steps if s.code == "change_source" and s.params["direction"] == "forward")
        next(n for n in world.nodes if n.ref.id == step.node_id).channels["link1"].ignore = ignored

    return end_of(run_to_end(world, plan, on_transition=at_start_of("verify", change_guard)))


def events_read_for(groups: int) -> int:
    """How many events a verification reads of the new replica's log, so many groups having come since the start."""
    world, plan = situation("move_replica").build()
    replica = world.node("b2")

    def write_much() -> None:
        world.write_times(groups, "a1")
        world.tick()
        replica.log.calls.clear()

    memory = run_to_end(world, plan, on_transition=at_start_of("verify", write_much))
    assert end_of(memory)[0] == "succeeded"
    return sum(limit for _, limit in replica.log.calls)


def test_verify__much_came_since__only_the_groups_around_the_seam_are_read() -> None:
    assert events_read_for(2_500) <= 20_000


@pytest.mark.parametrize("name", ["move_both", "gtid_move_both"])
def test_verify__the_loop_guard_was_changed_since__is_no_success_and_named(name: str) -> None:
    state, sentence = verified_with(name, (21,))
    assert state == "needs_operator"
    assert "options differ: {'ignore_server_ids': [21]}" in sentence
