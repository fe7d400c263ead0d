"""The figures and their page: what a judge condemned is told there, by number and by name."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.faults import conftest
from tests.faults.fault import Fault, Verdict
from tests.faults.page import added, merged, page
from tests.faults.results import Results
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


def test_hunt__shard_failed__totals_and_its_name_are_kept() -> None:
    report = SimpleNamespace(when="call", user_properties=[("simulated steps", 5), ("other", 9)])
    found = fuzz_report.totals([report, report, SimpleNamespace(when="setup", user_properties=report.user_properties)])
    totals = fuzz_report.figures(found, ["tests/sim/test_simulation.py::test_one"], "7", {"commit": "a"})
    failed = ["tests/sim/test_simulation.py::test_one"]
    assert totals == {"simulation": {"commit": "a", "steps": 10, "seeds": ["7"], "failed": failed}}
