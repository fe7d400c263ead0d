from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from deploy.testrun import __main__ as testrun
from deploy.testrun.counts import Counts
from deploy.testrun.memory import remove_abandoned, servers_folder
from deploy.testrun.parallel_lane import BACKGROUND, FIRST, LAST, QUEUE, SLOTS, Results, _servers_env, load, save
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
    deep = Workspace(ROOT, ROOT / ("x" * 90))
    assert len(str(deep.lab_home("lab"))) <= LONGEST_LAB_HOME


def test_folders__each__is_run_by_one_suite_only() -> None:
    named = [folder for folders in FOLDERS.values() for folder in folders]
    assert len(named) == len(set(named))


def test_parallel_lane__counts_stored_and_read__are_the_same(tmp_path: Path) -> None:
    results = {"core": (1.5, Counts(3, 1, 2, ((0.5, "a::b"),), ("a::b",)))}
    save(tmp_path / "counts.json", results)
    assert load(tmp_path / "counts.json") == results


def test_parallel_lanes__together__are_every_stage_once() -> None:
    assert sorted([*FIRST, *QUEUE, *chain(*BACKGROUND), *LAST]) == sorted(stage.name for stage in STAGES)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What begins and ends in a run whose lanes each end when they were asked twice."""
    seen: list[str] = []

    class FakeLane:
        def __init__(self, workspace: Workspace, names: Sequence[str], *, is_in_background: bool = False) -> None:
            self._names, self._asked = names, 0
            seen.append(f"{names[0]} begins")

        @property
        def has_ended(self) -> bool:
            self._asked += 1
            return self._asked > 1

        def collect(self) -> Results:
            seen.append(f"{self._names[0]} ended")
            return {name: (1.0, Counts(passed=1)) for name in self._names}

        def stop(self) -> None: ...

    def ran(stage: Stage, _: Workspace) -> Counts:
        seen.append(stage.name)
        return Counts(passed=1)

    monkeypatch.setattr(testrun, "ParallelLane", FakeLane)
    monkeypatch.setattr(testrun, "run_stage", ran)
    monkeypatch.setattr(testrun, "CHECK_EVERY_S", 0.0)
    return seen


def test_run__all_stages__counted_and_the_last_alone_but_for_the_background(seen: list[str], tmp_path: Path) -> None:
    results = testrun._run_in_parallel(Workspace(tmp_path, tmp_path))
    assert set(results) == {stage.name for stage in STAGES}
    assert seen[0] == "build"
    assert seen[-4:] == ["e2e begins", "e2e ended", *(f"{names[0]} ended" for names in BACKGROUND)]


def test_run__a_stage_that_computes__what_it_took_of_the_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ran(stage: Stage, _: Workspace) -> Counts:
        if stage.name == "core":
            subprocess.run([sys.executable, "-c", "sum(range(20_000_000))"], check=True)
        return Counts(passed=1)

    monkeypatch.setattr(testrun, "run_stage", ran)
    results = testrun._run(chosen(["lint", "core"]), Workspace(tmp_path, tmp_path))
    idle, busy = (results[name][1].processor_s for name in ("lint", "core"))
    assert busy > idle + 0.05
    testrun.report(results, sum((counts for _, counts in results.values()), Counts()))
    assert f"{busy:.1f} s of processors  1 passed" in capsys.readouterr().out


def test_queue__containers__first_because_their_interfaces_disturb_a_browser() -> None:
    assert QUEUE[0] == "containers"


def test_servers__of_containers__on_disk_and_of_others_where_the_run_has_them(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path / "memory")
    assert _servers_env(workspace, ["containers"], is_in_background=False) == {}
    assert _servers_env(workspace, ["galera"], is_in_background=False)["TMPDIR"] == str(tmp_path / "memory")


def test_run__stages_of_the_queue__as_many_at_once_as_there_are_slots(seen: list[str], tmp_path: Path) -> None:
    testrun._run_in_parallel(Workspace(tmp_path, tmp_path))
    of_queue = [each.split() for each in seen if each.split()[0] in QUEUE]
    running = [0]
    for _, what in of_queue:
        running.append(running[-1] + (1 if what == "begins" else -1))
    assert max(running) == SLOTS
    assert running[-1] == 0


def test_servers_folder__enough_memory__own_and_removed_at_the_end_with_those_of_ended_runs(tmp_path: Path) -> None:
    abandoned = tmp_path / f"hawser-{os.getuid()}-999999999"
    abandoned.mkdir()
    with servers_folder(tmp_path, 1) as folder:
        assert folder is not None
        assert (folder.is_dir(), folder.stat().st_mode & 0o777) == (True, 0o700)
        remove_abandoned(tmp_path)
        assert list(tmp_path.iterdir()) == [folder]
    assert list(tmp_path.iterdir()) == []


def test_servers_folder__too_little_memory_or_none__the_disk_is_used(tmp_path: Path) -> None:
    for memory, needed_bytes in ((tmp_path, 2**62), (tmp_path / "missing", 1)):
        with servers_folder(memory, needed_bytes) as folder:
            assert folder is None
