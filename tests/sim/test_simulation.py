"""Two sites, their servers, workers that die and people who meddle: what must hold, holds after every step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.core.builders.examples import examples, hunted
from tests.sim.machine import GtidSimulation, Simulation
from tests.sim.tally import OUTCOMES, STEPS

STEPS_EACH = 60
SHARDS = 4


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("machine", [Simulation, GtidSimulation])
def test_simulation__any_order_of_events__every_invariant_holds(
    machine: type[Simulation], shard: int, record_property: Callable[[str, object], None]
) -> None:
    one = type(f"{machine.__name__}{shard}", (machine,), {})  # derandomized by name: each shard draws others
    before, outcomes = STEPS.total(), OUTCOMES.copy()
    try:
        run_state_machine_as_test(one, settings=settings(examples(USUAL), stateful_step_count=STEPS_EACH))
    finally:
        record_property("simulated steps", STEPS.total() - before)
        for name in ("examples", "runs"):
            record_property(f"simulated {name}", OUTCOMES[name] - outcomes[name])
    assert OUTCOMES["runs"] > outcomes["runs"] or hunted(USUAL) < USUAL, "a few short examples may start no run"


USUAL = 50
