from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from deploy.testrun import __main__ as testrun
from deploy.testrun.counts import Counts
from deploy.testrun.parallel_lane import ALONE, LANES, Lane, Results, load, save
from deploy.testrun.stages import FURTHER, STAGES, Stage, chosen
from deploy.testrun.suites import FOLDERS
from deploy.testrun.workspace import LONGEST_LAB_HOME, Workspace

pytestmark = pytest.mark.deploy

# Run by Playwright, or no tests at all.
ELSEWHERE = {"e2e", "fakes", "ui"}


def test_folders__with_tests__all_belong_to_a_stage() -> None:
    tests = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("test_*.py")}
    assert tests - ELSEWHERE <= {folder for folders in FOLDERS.values() for folder in folders}


def test_stages__none_named__are_all_of_them_in_order() -> None:
    assert chosen([]) == list(STAGES)
    assert [stage.name for stage in chosen(["core", "lint"])] == ["lint", "core"]


def test_stages__unknown_name__refused_with_the_known_ones() -> None:
    with pytest.raises(SystemExit, match=r"no stage 'nonsense'. Choose from .*galera"):
        chosen(["nonsense"])


def test_makefile__stages_it_names__exist() -> None:
    text = (ROOT / "Makefile").read_text()
    named = {name for line in re.findall(r"deploy\.testrun ([a-z0-9 -]+)", text) for name in line.split()}
    assert named <= {stage.name for stage in (*STAGES, *FURTHER)}


def test_ci__runs__make_test() -> None:
    assert "exec make test\n" in (ROOT / ".ci/run").read_text()


def test_lab_home__folder_too_deep_for_sockets__lies_elsewhere() -> None:
    deep = Workspace(ROOT / ("x" * 90))
    assert len(str(deep.lab_home("lab"))) <= LONGEST_LAB_HOME


def test_folders__each__is_run_by_one_suite_only() -> None:
    named = [folder for folders in FOLDERS.values() for folder in folders]
    assert len(named) == len(set(named))


def test_parallel_lane__counts_stored_and_read__are_the_same(tmp_path: Path) -> None:
    results = {"core": (1.5, Counts(3, 1, 2, ((0.5, "a::b"),), ("a::b",)))}
    save(tmp_path / "counts.json", results)
    assert load(tmp_path / "counts.json") == results


def test_parallel_lane__lanes__name_stages_that_exist_once_and_none_that_needs_the_machine_alone() -> None:
    names = [stage.name for stage in STAGES]
    aside = [name for lanes in LANES.values() for lane in lanes for name in lane.names]
    assert len(aside) == len(set(aside))
    assert {*aside, *LANES} <= set(names)
    assert not ALONE & {*aside, *LANES}


def test_run__lanes__end_before_the_next_and_before_e2e_but_for_those_in_the_background(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen: list[str] = []

    class FakeLane:
        def __init__(self, workspace: Workspace, lane: Lane) -> None:
            self.is_in_background, self._names = lane.is_in_background, lane.names
            seen.append(f"{lane.names[0]} begins")

        def collect(self) -> Results:
            seen.append(f"{self._names[0]} ended")
            return {name: (1.0, Counts(passed=1)) for name in self._names}

        def stop(self) -> None: ...

    def stage(name: str) -> Stage:
        def ran(_: Workspace) -> Counts:
            seen.append(name)
            return Counts(passed=1)

        return Stage(name, ran)

    monkeypatch.setattr(testrun, "ParallelLane", FakeLane)
    lanes = {
        "build": (Lane(("backend-mariadb",)), Lane(("lint", "core"), is_in_background=True)),
        "galera": (Lane(("variants",)),),
    }
    monkeypatch.setattr(testrun, "LANES", lanes)
    monkeypatch.setattr(testrun, "ASIDE", {"backend-mariadb", "lint", "core", "variants"})
    names = ["lint", "core", "build", "ui", "backend-mariadb", "variants", "galera", "e2e"]
    results = testrun._run([stage(name) for name in names], Workspace(tmp_path), in_lanes=True)
    assert [name for name in seen if not name.endswith("begins")] == [
        *("build", "ui", "backend-mariadb ended", "galera", "variants ended", "e2e", "lint ended")
    ]  # fmt: skip
    assert set(results) == set(names)
