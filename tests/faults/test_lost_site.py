"""2b: the old active side fails wherever the seed says in a switch to a passive side; the survivor accepts writes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.faults.fault import Fault
from tests.galera.console import Json, describe, refusals, sentences
from tests.galera.sites import begin, fail_over, fences, reprotect, restart_site, slow
from tests.support.waiting import wait_for

BEHIND_A_STATEMENT = ("after-sql", "after-outcome")


@pytest.mark.faults("B26")
@pytest.mark.parametrize("is_turned", [False, True], ids=["before_the_swap", "behind_it"])
def test_switchover__the_old_active_side_dies_at_a_drawn_boundary__named_and_the_survivor_takes_writes(
    fault: Fault, is_turned: bool
) -> None:
    """What the dead side alone had is replayed once it is back: nothing is lost."""
    begin(fault)
    passive_standby(fault)
    lost = [name for name in fault.nodes() if name.startswith("db-a")]
    with fault.stack.paused("worker"):
        plan = fault.ready("switchover")
        run_id = fault.start(plan)
        swap = next(step["index"] for step in plan["steps"] if step["point_of_no_return"])
        changing = [step["index"] for step in plan["steps"] if step["sql"] and (step["index"] > swap) is is_turned]
        sleeper = fault.stopped_at(run_id, f"{fault.rng.choice(BEHIND_A_STATEMENT)}:{fault.rng.choice(changing)}")
        fault.kill(*lost)
        fault.wake(sleeper, 200)
        run = fault.handed_over(fault.carried_on(run_id, 200))
    assert "db-a" in run["outcome"] or "milan" in run["outcome"], describe(run)
    assert run["point_of_no_return_passed"] is is_turned, describe(run)
    if not is_turned:
        failed_over(fault, run, lost)
    assert {value for name, value in fences(fault).items() if name.startswith("db-b")} == {"0"}
    fault.stop_writes()
    fault.write_on(replace(slow(fault), sites=("b",)))
    if is_turned:
        gone_on_with(fault, run_id)
    else:
        attached(fault)
    begin(fault)
    fault.stop_writes()
    fault.stack.lab.load_start(fault.load)
    fault.judge()


def passive_standby(fault: Fault) -> None:
    """One side accepts writes, few enough to be replayed one by one; the other is closed."""
    fault.stop_writes()
    for name in fault.nodes():
        if name.startswith("db-b"):
            fault.sql(name, "SET GLOBAL read_only=ON")
    fault.write_on(replace(slow(fault), sites=("a",)))
    fault.look_again()


def failed_over(fault: Fault, run: Json, lost: list[str]) -> None:
    """What the switch left closed is told with its statements; the plan the console offers opens the other side."""
    for name in {statement["node"] for step in run["steps"] for statement in step["statements"]}:
        assert f"Restore {name} by hand: SET GLOBAL read_only=OFF." in run["next_action"], run["next_action"]
    fault.wait_link(lambda now: (now["primary_action"] or {}).get("kind") == "failover", "failover to be offered")
    fault.strike()
    fault.recovered(fail_over(fault, lost, accept_loss=True))
    assert fault.run_of(run["id"])["state"] == "failed", "the switch that it took the place of still holds the link"


def attached(fault: Fault) -> None:
    """The side is back: closed, and attached with what it alone had."""
    restart_site(fault)
    fault.stack.lab.load_stop()
    fenced = fault.console.run_planned("reprotect", orphans="fence")
    assert fenced["state"] == "succeeded", describe(fenced)
    plan = fault.console.plan("reprotect")
    assert set(refusals(plan)) <= {"orphans_found"}, sentences(plan)
    reprotect(fault, **({"orphans": "replay"} if refusals(plan) else {}))


def gone_on_with(fault: Fault, run_id: str) -> None:
    """The roles had turned before the side failed: once it is back, the same run ends well."""
    fault.stack.lab.start_site("a")
    wait_for(lambda: all(fault.reach(name) == "up" for name in fault.nodes()), "all nodes to be seen", 90)
    assert fault.console.call("POST", f"/runs/{run_id}/resume", {"comment": "the side is back"}).status < 300
    fault.succeeded(fault.ended(run_id, 200))
