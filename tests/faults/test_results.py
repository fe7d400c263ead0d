"""The figures and their page: what a judge condemned is told there, by number and by name."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.faults import conftest
from tests.faults.fault import Fault, Verdict
from tests.faults.page import added, merged, page
from tests.faults.results import Results, spread
from tests.faults.soak import drawn, let_catch_up, unharmed, worker_dies
from tests.faults.tally import Tally, judge
from tests.support import fuzz_report
from tests.support.outcome import PASSED

LOST = Verdict(("A1",), 7, acknowledged=100, lost=2, doubled=1)


def test_results__of_a_failed_test__its_losses_and_its_name_reach_the_page(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("HAWSER_FAULT_RESULTS", str(tmp_path / "faults.json"))
    results = Results(seed=7, verdicts=[LOST, Verdict(("A2",), 7, acknowledged=150, lost=2, doubled=1)])
    results.failed = ["tests/faults/test_worker.py::test_one", "tests/faults/test_worker.py::test_two"]
    results.is_over = True
    results.save()
    text = page(merged({}, json.loads((tmp_path / "faults.json").read_text())))
    for row in (
        "| lost | 2 |",
        "| doubled | 1 |",
        "| tests that failed | 2 |",
        "| transactions checked one by one | 150 |",
    ):
        assert row in text
    assert "**Red: 2 failed.**\n\n- `tests/faults/test_worker.py::test_one`" in text
    assert "| seed | 7 |" in text
    assert "Cut short" not in text


def test_results__another_record_begun__losses_of_both_add_up() -> None:
    verdicts = [LOST, Verdict((), 7), Verdict((), 7, acknowledged=120, lost=2), Verdict((), 7, acknowledged=20, lost=1)]
    figures = Results(seed=7, verdicts=verdicts).summary()["faults"]
    assert (figures["lost"], figures["doubled"], figures["transactions"], figures["unjudged"]) == (3, 1, 140, 1)


def test_results__process_ended_before_its_time__page_says_so() -> None:
    assert "Cut short" in page(Results(seed=7, verdicts=[LOST]).summary())


def test_results__cut_short_in_the_marathon__the_faults_before_it_were_over() -> None:
    parts = Results(seed=7, verdicts=[LOST], marathon={"switches": 3}).summary()
    assert (parts["faults"]["is_over"], parts["marathon"]["is_over"]) == (True, False)


def test_results__marathon_ran_for_an_hour__no_minute_of_it_counts_as_the_faults() -> None:
    now = datetime.now(UTC)
    results = Results(seed=7, verdicts=[LOST], began=now - timedelta(minutes=95))
    results.keep_marathon(now - timedelta(minutes=60), {"switches": 3})
    parts = results.summary()
    assert (parts["faults"]["minutes"], parts["marathon"]["minutes"]) == (35, 60)


@pytest.fixture
def stack(monkeypatch: Any) -> Any:
    """Stands for the stack under scenes that touch no server; counts how often it was started again."""
    for name in ("heal", "arm", "end_sleepers", "has_long_record", "judge_statements"):
        monkeypatch.setattr(Fault, name, lambda self: None)
    begun: list[str] = []
    chaos = SimpleNamespace(heal=lambda: None)
    return SimpleNamespace(
        chaos=chaos, is_spoiled=False, is_healed=False, begun=begun, renew=lambda: begun.append("again")
    )


def run_scene(stack: Any, results: Results, *, passes: bool) -> None:
    """One test's scene from beginning to end; it sees two writes lost."""
    node = SimpleNamespace(name="test_one", path=Path("test_worker.py"), stash=pytest.Stash())
    node.stash[PASSED] = passes
    scene = conftest.scenes(stack, results, node, Verdict(("A1",), 7))
    fault = next(scene)
    fault.verdict.lost, fault.is_judged = 2, True
    with suppress(StopIteration):
        next(scene)


def test_scene__its_test_fails__verdict_is_kept(stack: Any) -> None:
    results = Results(seed=7)
    run_scene(stack, results, passes=False)
    assert [one.lost for one in results.verdicts] == [2]


def test_scene__behind_a_failed_test__begins_on_a_new_stack(stack: Any) -> None:
    run_scene(stack, Results(seed=7), passes=True)
    run_scene(stack, Results(seed=7), passes=False)
    assert stack.begun == []
    run_scene(stack, Results(seed=7), passes=True)
    assert stack.begun == ["again"]
    run_scene(stack, Results(seed=7), passes=True)
    assert stack.begun == ["again"]


def test_scene__link_not_whole_behind_a_passed_test__next_begins_on_a_new_stack(stack: Any, monkeypatch: Any) -> None:
    def not_whole(fault: Fault) -> None:
        assert not fault.is_judged, "waited 90 s for the link to be protected"

    monkeypatch.setattr(Fault, "heal", not_whole)
    with pytest.raises(AssertionError, match="waited 90 s"):
        run_scene(stack, Results(seed=7), passes=True)
    assert stack.is_spoiled


def test_marathon__judge_condemns__what_it_found_is_in_the_figures() -> None:
    def condemn() -> None:
        scene.verdict.acknowledged, scene.verdict.lost = 500, 3
        raise AssertionError("lost")

    scene: Any = SimpleNamespace(verdict=Verdict((), 7), judge_writes=condemn)
    tally = Tally()
    with pytest.raises(AssertionError, match="lost"):
        judge(scene, tally)
    assert (tally.figures()["lost"], tally.figures()["transactions"]) == (3, 500)


def test_marathon__leg_given_up__is_counted_apart_from_the_switches(monkeypatch: Any) -> None:
    run = {"kind": "relocate", "state": "succeeded"}
    tally = Tally(walked=3, troubles=["leg 2 (failback): Traceback: ..."])
    tally.ended(unharmed, run, is_resumed=False)
    tally.ended(worker_dies, run, is_resumed=True)
    figures = tally.figures()
    assert figures["switches"] == figures["unharmed"] + figures["faults"] == 2  # type: ignore[operator]
    assert (figures["given_up"], figures["troubles"]) == (1, ["leg 2 (failback)"])
    assert tally.ends == Counter({"succeeded": 1, "succeeded after Resume": 1})


def test_marathon__leg_drawn_again_after_others__draws_the_same() -> None:
    link = {"active_cluster": {"id": "a"}, "home_cluster": {"id": "a"}}
    scene: Any = SimpleNamespace(verdict=Verdict((), 7), console=SimpleNamespace(link=lambda: link), rng=None)
    first = [(*drawn(scene, number), scene.rng.random()) for number in range(1, 30)]
    assert (*drawn(scene, 17), scene.rng.random()) == first[16]
    assert len({leg.kind for leg, _, _ in first}) == 2
    assert len({draw for _, _, draw in first}) == 29


def test_fuzzing__of_one_commit__adds_up_and_of_another_begins_again() -> None:
    first = {"commit": "a", "dirty": False, "at": "then", "steps": 5, "failed": [], "seeds": ["7"]}
    second = first | {"at": "now", "steps": 6, "failed": ["shard 1"], "seeds": ["9", "8"]}
    both = added(first, second)
    assert both == first | {"steps": 11, "failed": ["shard 1"], "seeds": ["7", "9", "8"]}
    assert added(both, first | {"commit": "b"}) == first | {"commit": "b"}
    text = page(merged({"hunts": {"simulation": first}}, {"hunts": {"simulation": second}}))
    assert "| steps, every invariant judged after each | 11 |" in text
    assert "- `shard 1`" in text
    assert "| shards, by their seeds | 3: 7 to 9 |" in text


def test_page__worlds_of_the_oracle__told_with_what_was_proven_in_them() -> None:
    hunt = {"examples": 9, "worlds, purged": 3, "proven, purged": 2, "worlds, reset": 1}
    text = page({"hunts": {"oracle": hunt}})
    assert "| purged | 3 | 2 |\n| reset | 1 | 0 |" in text
    assert "| worlds with |" not in page({"hunts": {"simulation": {"examples": 9}}})


def test_hunt__shard_failed__totals_and_its_name_are_kept() -> None:
    report = SimpleNamespace(when="call", user_properties=[("simulated steps", 5), ("other", 9)])
    found = fuzz_report.totals([report, report, SimpleNamespace(when="setup", user_properties=report.user_properties)])
    totals = fuzz_report.figures(found, ["tests/sim/test_simulation.py::test_one"], "7", {"commit": "a"})
    failed = ["tests/sim/test_simulation.py::test_one"]
    assert totals == {"simulation": {"commit": "a", "steps": 10, "seeds": ["7"], "failed": failed}}


def test_spread__of_a_few__names_lease_and_longest() -> None:
    assert spread([3.0, 1.0, 2.0], 15.0) == "3: p50 2.0 s, p99 3.0 s, longest 3.0 s (lease 15 s)"
    assert spread([], 15.0) == "none"


@pytest.mark.parametrize(("lags_s", "rests"), [((0, 20), False), ((21, 0), True), ((0, None), False)])
def test_marathon__a_channel_far_behind__the_load_rests_until_both_sides_are_level(
    lags_s: tuple[int | None, ...], rests: bool
) -> None:
    """Under full load it stayed behind for the rest of the marathon, and seven legs were refused."""
    done: list[str] = []
    console = SimpleNamespace(link=lambda: {"channels": [{"lag_s": lag_s} for lag_s in lags_s]})
    lab = SimpleNamespace(load_start=lambda order: done.append(f"load {order}"))
    stub = SimpleNamespace(
        console=console,
        load="as before",
        stop_writes=lambda: done.append("idle and level"),
        stack=SimpleNamespace(lab=lab),
    )
    let_catch_up(stub)  # type: ignore[arg-type]
    assert done == (["idle and level", "load as before"] if rests else [])
