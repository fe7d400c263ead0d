from __future__ import annotations

import re
from pathlib import Path

from deploy.services.process import ROOT
from deploy.testrun import __main__ as testrun
from deploy.testrun import suites, whole
from deploy.testrun.counts import Counts, repeated
from deploy.testrun.stages import Stage, chosen
from deploy.testrun.workspace import Workspace

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


def test_makefile__stages_it_names__exist() -> None:
    text = (ROOT / "Makefile").read_text()
    named = {
        name for line in re.findall(r"deploy\.testrun (?:--whole )?([a-z][a-z0-9 -]*)", text) for name in line.split()
    }
    assert named
    chosen([*named])


def test_ci__runs__make_test() -> None:
    assert "exec make test\n" in (ROOT / ".ci/run").read_text()


def test_repeated__one_passes_and_one_does_not__named_as_unsteady_and_both_failed() -> None:
    first = Counts(passed=5, failed=2, failures=("a::steady: red", "a::chance: late"))
    both = repeated(first, Counts(passed=1, failed=1, failures=("a::steady: red again",)))
    assert (both.passed, both.failed, both.unsteady) == (5, 2, ("a::chance",))
    assert repeated(first, Counts()).unsteady == ()


def test_stage__all_skipped_or_raising__is_a_failure(tmp_path: Path) -> None:
    def broken(_: Workspace) -> Counts:
        raise OSError("no disk")

    workspace = Workspace(tmp_path, tmp_path)
    assert testrun.run_stage(Stage("containers", lambda _: Counts(skipped=14)), workspace).failed == 1
    assert testrun.run_stage(Stage("galera", broken), workspace).failed == 1


def test_whole__stage_that_ends_without_a_result__is_a_failure(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, tmp_path, is_whole=True)
    assert whole._result("core", tmp_path, workspace)[1].failed == 1
