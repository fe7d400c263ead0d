from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from deploy.services.process import ROOT
from deploy.testrun import counts, suites
from deploy.testrun.scenario_lanes import SCENARIO_LANES
from deploy.testrun.stages import STAGES
from deploy.testrun.workspace import Workspace

pytestmark = pytest.mark.deploy


def test_scenarios__each_module__is_in_one_lane() -> None:
    named = [module for modules in SCENARIO_LANES.values() for module in modules]
    assert Counter(named) == Counter(path.stem for path in (ROOT / "tests/galera").glob("test_*.py"))


def test_scenarios__all_stages_of_make_test__run_each_lane_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run: list[str] = []

    def seen(*arguments: Any, env: Mapping[str, str] | None = None, **options: Any) -> counts.Counts:
        run.extend([(env or {})["HAWSER_GALERA_LANE"]] if "HAWSER_GALERA_LANE" in (env or {}) else [])
        return counts.Counts(passed=1)

    redis = SimpleNamespace(url="redis://", child=SimpleNamespace(stop=lambda: None))
    monkeypatch.setattr(suites, "run_pytest", seen)
    monkeypatch.setattr(suites, "run", lambda *_, **__: "")
    monkeypatch.setattr(suites, "start_redis", lambda *_: redis)
    on_labs = [stage for stage in STAGES if stage.name in {*SCENARIO_LANES, "faults"}]
    for stage in on_labs:
        stage.run(Workspace(tmp_path, tmp_path))
    assert Counter(run) == Counter(list(SCENARIO_LANES))
