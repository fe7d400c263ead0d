"""The stages of a test run, in their order. A failed stage does not stop the next one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bench import fuzzing
from deploy.servers import matrix
from deploy.testrun import browser, static_checks, suites
from deploy.testrun.counts import Counts
from deploy.testrun.workspace import Workspace

Run = Callable[[Workspace], Counts]


@dataclass(frozen=True)
class Stage:
    """A named stage: whether `make test` runs it, and whether `make test-whole` does. The others run only if named.

    With a workspace that `is_whole` a stage runs all it has, without that what a change needs.
    """

    name: str
    run: Run
    is_in_test: bool = False
    is_in_whole: bool = True


def _suite(suite: suites.Suite, *, is_in_test: bool = False, is_in_whole: bool = True) -> Stage:
    return Stage(suite.name, partial(suites.run_suite, suite), is_in_test, is_in_whole)


STAGES = (
    Stage("lint", static_checks.lint, is_in_test=True),
    Stage("build", static_checks.build, is_in_test=True),
    Stage("core", suites.core, is_in_test=True),
    _suite(suites.DEPLOY, is_in_test=True),
    _suite(suites.CONSOLE, is_in_test=True),
    Stage("frontend", suites.frontend, is_in_test=True),
    Stage("ui", browser.ui, is_in_test=True),
    _suite(suites.STORY, is_in_test=True),
    _suite(suites.CONSOLE_ON_SQLITE),
    _suite(suites.CATALOGUE),
    _suite(suites.SINGLE_SERVERS),
    _suite(suites.GALERA),
    _suite(suites.VARIANTS),
    _suite(suites.REPORTED),
    _suite(suites.REPORTED_ON_NEWEST),
    Stage("faults", partial(suites.faults, suites.FAULTS)),
    _suite(suites.HA),
    _suite(suites.CONTAINERS),
    Stage("e2e", browser.e2e),
    Stage("bare", browser.bare),
    _suite(suites.DEPLOY_LONG, is_in_whole=False),
    _suite(suites.CONTAINERS_LONG, is_in_whole=False),
    _suite(suites.HA_LONG, is_in_whole=False),
    Stage("faults-long", partial(suites.faults, suites.FAULTS_LONG), is_in_whole=False),
    Stage("scenarios-long", suites.scenarios_long, is_in_whole=False),
    Stage("servers", matrix.servers, is_in_whole=False),
    Stage("fuzz", fuzzing.fuzz, is_in_whole=False),
)


def chosen(names: list[str], *, is_whole: bool = False) -> list[Stage]:
    """Stages by name, in their own order; without names those of `make test` or `make test-whole`."""
    known = {stage.name for stage in STAGES}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise SystemExit(f"There is no stage {unknown[0]!r}. Choose from {', '.join(sorted(known))}")
    if names:
        return [stage for stage in STAGES if stage.name in names]
    return [stage for stage in STAGES if (stage.is_in_whole if is_whole else stage.is_in_test)]
