"""2a: the worker dies, sleeps or is told to end at every kind of boundary."""

from __future__ import annotations

import pytest

from tests.faults.fault import Fault
from tests.galera.test_worker_death import CHANGING_STEPS

STATEMENT = ("before-intent", "after-intent", "after-sql", "after-outcome")


@pytest.mark.quick
@pytest.mark.faults("A1", "A2", "A3")
@pytest.mark.parametrize("boundary", ["after-intent", "after-sql", "after-outcome"])
def test_worker__killed_around_a_statement__another_looks_and_goes_on(fault: Fault, boundary: str) -> None:
    """Before the statement left, after it took effect, between STOP and CHANGE: one effect each."""
    with fault.stack.paused("worker"):
        run_id = fault.start(fault.ready(**fault.other_pair()))
        fault.died_at(run_id, f"{boundary}:{fault.rng.choice(CHANGING_STEPS)}")
        fault.succeeded(fault.carried_on(run_id))
    fault.judge()
