from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.services.memory import remove_abandoned, servers_folder
from deploy.services.process import ROOT
from deploy.testrun import __main__ as testrun
from deploy.testrun import suites, whole
from deploy.testrun.counts import Counts, load, repeated, save
from deploy.testrun.stages import Stage, chosen
from deploy.testrun.workspace import LONGEST_LAB_HOME, Workspace

# Run by Playwright, or no tests at all.
ELSEWHERE = {"e2e", "fakes", "ui"}
SUITES = [suite for suite in vars(suites).values() if isinstance(suite, suites.Suite)]


def test_folders__with_tests__all_belong_to_a_stage() -> None:
    tests = {path.relative_to(ROOT / "tests").parts[0] for path in (ROOT / "tests").rglob("test_*.py")}
    assert tests - ELSEWHERE <= {folder for suite in SUITES for folder in suite.folders}


def test_stages__none_named__those_of_make_test_or_of_the_whole_in_order() -> None:
    in_test, in_whole = ([stage.name for stage in chosen([], is_whole=is_whole)] for is_whole in (False, True))
    assert set(in_test) < set(in_whole)
    assert [stage.name for stage in chosen(["core", "lint"])] == ["lint", "core"]


def test_stages__unknown_name__refused_with_the_known_ones() -> None:
    with pytest.raises(SystemExit, match=r"no stage 'nonsense'. Choose from .*galera"):
        chosen(["nonsense"])


def test_makefile__stages_it_names__exist() -> None:
    text = (ROOT / "Makefile").read_text()
    named = {
        name for line in re.findall(r"deploy\.testrun (?:--whole )?([a-z][a-z0-9 -]*)", text) for name in line.split()
    }
    assert named
    chosen([*named])


def test_ci__runs__make_test() -> None:
    assert "exec make test\n" in (ROOT / ".ci/run").read_text()


def test_lab_home__folder_too_deep_for_sockets__lies_elsewhere() -> None:
    deep = Workspace(ROOT, ROOT / ("x" * 90))
    assert len(str(deep.lab_home("lab"))) <= LONGEST_LAB_HOME


def test_results__stored_and_read__are_the_same(tmp_path: Path) -> None:
    results = {"core": (1.5, Counts(3, 1, 2, ((0.5, "a::b"),), ("a::b: red",), 0.5, ("a::b",)))}
    save(tmp_path / "counts.json", results)
    assert load(tmp_path / "counts.json") == results


def test_repeated__one_passes_and_one_does_not__named_as_unsteady_and_both_failed() -> None:
    first = Counts(passed=5, failed=2, failures=("a::steady: red", "a::chance: late"))
    both = repeated(first, Counts(passed=1, failed=1, failures=("a::steady: red again",)))
    assert (both.passed, both.failed, both.unsteady) == (5, 2, ("a::chance",))
    assert repeated(first, Counts()).unsteady == ()


def test_page__of_the_whole__has_each_stage_and_what_failed() -> None:
    red = Counts(1, 2, 0, ((2.0, "b::slow"),), ("b::steady: red", "b::chance: late"), 3.0, ("b::chance",))
    text = whole.page({"core": (1.0, Counts(passed=4)), "galera": (60.0, red)})
    assert "| galera | 60 | 3 | 1 | 2 | 1 | b::slow (2 s) |" in text
    assert "5 passed, 2 failed" in text
    assert "- failed: b::steady: red" in text
    assert "- failed, then passed when repeated: b::chance" in text


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The stages that a run of the whole starts; each one stores a test that passed."""
    started: list[str] = []

    def start(name: str, kept: Path, workspace: Workspace) -> subprocess.Popen[bytes]:
        started.append(name)
        save(kept / f"{name}.json", {name: (1.0, Counts(passed=len(started)))})
        workspace.log(name).touch()
        return subprocess.Popen(["true"])

    monkeypatch.setattr(whole, "_started", start)
    monkeypatch.setattr(whole, "CHECK_EVERY_S", 0.0)
    monkeypatch.setattr(whole, "_commit", lambda: "c0ffee")
    return started


@pytest.mark.parametrize("lanes", [1, 3])
def test_whole__gone_on_with_from_a_stage__results_before_it_are_kept(
    lanes: int, ended: list[str], tmp_path: Path
) -> None:
    (tmp_path / "logs").mkdir()
    stages, workspace = chosen(["lint", "core", "galera"]), Workspace(tmp_path, tmp_path, is_whole=True)
    assert set(whole.run(stages, workspace, lanes=lanes)) == {"lint", "core", "galera"}
    del ended[:]
    again = whole.run(stages, workspace, lanes=lanes, begin_with="galera")
    assert ended == ["galera"]
    assert [*again] == ["lint", "core", "galera"]
    assert (tmp_path / "whole/c0ffee/summary.md").read_text() == whole.page(again)


def test_whole__gone_on_with_behind_a_stage_that_never_ran__is_a_failure(ended: list[str], tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    stages, workspace = chosen(["lint", "core"]), Workspace(tmp_path, tmp_path, is_whole=True)
    results = whole.run(stages, workspace, begin_with="core")
    assert {name: counts.failed for name, (_, counts) in results.items()} == {"lint": 1, "core": 0}


def test_stage__all_skipped_or_raising__is_a_failure(tmp_path: Path) -> None:
    def broken(_: Workspace) -> Counts:
        raise OSError("no disk")

    workspace = Workspace(tmp_path, tmp_path)
    assert testrun.run_stage(Stage("containers", lambda _: Counts(skipped=14)), workspace).failed == 1
    assert testrun.run_stage(Stage("galera", broken), workspace).failed == 1


def test_whole__stage_that_ends_without_a_result__is_a_failure(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path, is_whole=True)
    assert whole._result("core", tmp_path, workspace)[1].failed == 1


def test_run__a_stage_that_computes__what_it_took_of_the_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def ran(stage: Stage, _: Workspace) -> Counts:
        if stage.name == "core":
            subprocess.run([sys.executable, "-c", "sum(range(20_000_000))"], check=True)
        return Counts(passed=1)

    monkeypatch.setattr(testrun, "run_stage", ran)
    results = testrun.run_stages(chosen(["lint", "core"]), Workspace(tmp_path, tmp_path))
    idle, busy = (results[name][1].processor_s for name in ("lint", "core"))
    assert busy > idle + 0.05
    testrun.report(results, sum((counts for _, counts in results.values()), Counts()))
    assert f"{busy:.1f} s of processors  1 passed" in capsys.readouterr().out


def test_environment__of_a_stage__temporary_files_where_its_servers_are(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path / "memory")
    assert workspace.env(workspace.servers)["TMPDIR"] == str(tmp_path / "memory")
    assert "TMPDIR" not in {key for key, value in workspace.env(tmp_path).items() if value == str(tmp_path)}


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
