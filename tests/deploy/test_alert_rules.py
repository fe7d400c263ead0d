"""The alert rules: accepted by Prometheus, each fires and is silent, names only what is served, and has a runbook."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from deploy.services.process import ROOT
from tests.deploy.alert_rules import CASES, promtool_tests

RULES = ROOT / "deploy/monitoring/hawser.rules.yaml"
DASHBOARD = ROOT / "deploy/monitoring/hawser.dashboard.json"
RUNBOOKS = ROOT / "docs/reference/alerts.md"
METRICS = ROOT / "docs/how-to/monitor-and-alert.md"
_NAME = re.compile(r"\bhawser_\w+")


def _rules() -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]]


def _documented() -> set[str]:
    """Names of series: a histogram has three for its name."""
    found = set(re.findall(r"^\| `(hawser_\w+)` \|", METRICS.read_text(), re.MULTILINE))
    return found | {f"hawser_http_request_seconds_{part}" for part in ("bucket", "count", "sum")}


def _promtool(*arguments: str) -> str:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_rules__as_prometheus_reads_them__accepted() -> None:
    assert f"{len(_rules())} rules found" in _promtool("check", "rules", str(RULES))


def test_rules__each__fires_and_is_silent_next_to_it(tmp_path: Path) -> None:
    assert [case.alert for case in CASES] == [rule["alert"] for rule in _rules()], "a rule without its series"
    file = tmp_path / "tests.yaml"
    file.write_text(yaml.safe_dump(promtool_tests(str(RULES))))
    _promtool("test", "rules", str(file))


@pytest.mark.parametrize("rule", _rules(), ids=lambda rule: rule["alert"])
def test_rule__its_series_and_runbook__exist(rule: dict[str, Any]) -> None:
    assert set(_NAME.findall(rule["expr"])) <= _documented()
    page, _, anchor = rule["annotations"]["runbook"].partition("#")
    assert ROOT / page == RUNBOOKS
    assert anchor in {heading.lower() for heading in re.findall(r"^### (\w+)$", RUNBOOKS.read_text(), re.MULTILINE)}


def test_runbooks__each__is_of_a_rule() -> None:
    assert re.findall(r"^### (\w+)$", RUNBOOKS.read_text(), re.MULTILINE) == [rule["alert"] for rule in _rules()]


def test_dashboard__each_panel__queries_series_that_are_served(tmp_path: Path) -> None:
    panels = [one for one in json.loads(DASHBOARD.read_text())["panels"] if one["type"] != "row"]
    expressions = [target["expr"] for panel in panels for target in panel["targets"]]
    assert len(expressions) >= len(panels) >= 12
    assert {name for expression in expressions for name in _NAME.findall(expression)} <= _documented()
    as_rules = [
        {"record": f"panel:{number}", "expr": one.replace("$link", ".*")} for number, one in enumerate(expressions)
    ]
    (tmp_path / "panels.yaml").write_text(yaml.safe_dump({"groups": [{"name": "panels", "rules": as_rules}]}))
    _promtool("check", "rules", str(tmp_path / "panels.yaml"))
