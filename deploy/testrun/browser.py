"""The browser tests: the pages on the API from memory, and on a whole demo with addresses of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from deploy.services.net import free_net, free_port
from deploy.services.process import PYTHON, ROOT, Child, ServiceError, wait_until
from deploy.testrun.counts import Counts, from_playwright, repeated
from deploy.testrun.failed_pages import shown_lines
from deploy.testrun.tool import run_tool
from deploy.testrun.workspace import Workspace

UP_LIMIT_S = 300.0
MAIN_STATE = "every_route|_has_a_name_no_axe_violation_and_fits"
"""The tests of tests/ui/pages.spec.ts that draw each page once."""


def start_demo(workspace: Workspace, *options: str) -> tuple[Child, dict[str, object]]:
    """Starts the demo and waits until it is ready; returns it and its ready file."""
    ready = workspace.folder / "demo-ready.json"
    ready.unlink(missing_ok=True)
    command = [PYTHON, "-m", "deploy.demo", "--home", str(workspace.servers / "demo"), *options]
    env = {
        "HAWSER_PORT": str(free_port()),
        "HAWSER_LAB_HOME": str(workspace.lab_home("e2e-lab")),
        "HAWSER_LAB_NET": free_net(),
        # As in production, where the demo asks for no proof before an action.
        "HAWSER_STEP_UP_S": "900",
    }
    child = Child("demo", [*command, "--ready-file", str(ready)], workspace.log("e2e-demo"), env, grace_s=90)
    child.start()
    if not wait_until(ready.exists, UP_LIMIT_S, child):
        child.stop()
        raise ServiceError(f"the demo did not start:\n{child.tail(40)}")
    return child, json.loads(ready.read_text())


def ui(workspace: Workspace) -> Counts:
    """Every page in each state and role, without the whole in its main one, on the API from memory."""
    env = {"HAWSER_UI_PORT": str(free_port()), "HAWSER_UI_REPORT": str(workspace.report("ui.json"))}
    only = () if workspace.is_whole else ("--grep", MAIN_STATE)
    return _playwright(workspace, "ui", "--config", "tests/ui", "--project=ui", *only, limit_s=3600, env=env)


def _playwright(workspace: Workspace, name: str, *options: str, limit_s: float, env: Mapping[str, str]) -> Counts:
    """Runs browser tests and reads the report; a broken run counts as a failure of its own."""
    report = workspace.report(f"{name}.json")
    command = [str(ROOT / "node_modules/.bin/playwright"), "test", *options]
    code = run_tool(command, limit_s=limit_s, env=env)
    for context in sorted((ROOT / "test-results" / name).rglob("error-context.md")):
        print(f"what {context.parent.name} showed:", *shown_lines(context.read_text()), sep="\n  ")
    counts = from_playwright(report.read_text()) if report.exists() else Counts()
    if code != 0 and counts.failed == 0:
        counts += Counts(failed=1, failures=(f"{name}: playwright ended with {code}",))
    if workspace.is_whole and counts.failed and report.exists():
        report.unlink()
        run_tool([*command, "--last-failed"], limit_s=limit_s, env=env)
        counts = repeated(counts, from_playwright(report.read_text()) if report.exists() else Counts())
    return counts


def e2e(workspace: Workspace) -> Counts:
    """Playwright against a running demo."""
    return _on_demo(workspace, "chromium")


def bare(workspace: Workspace) -> Counts:
    """Two bare clusters set up and operated in the browser: on a desktop and on a phone, each on a demo of its own."""
    counts = Counts()
    for project in ("bare-desktop", "bare-phone"):
        counts += _on_demo(workspace, project, "--bare")
    return counts


def _on_demo(workspace: Workspace, project: str, *options: str) -> Counts:
    """One project of the browser tests on a demo that is started with these options."""
    demo, facts = start_demo(workspace, *options)
    env = {
        "HAWSER_E2E_URL": str(facts["url"]),
        "HAWSER_E2E_READY_FILE": str(workspace.folder / "demo-ready.json"),
        "HAWSER_E2E_REPORT": str(workspace.report("e2e.json")),
        "HAWSER_LAB_HOME": str(facts["lab_home"]),
        "HAWSER_LAB_NET": demo.env["HAWSER_LAB_NET"],
        "PATH": f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}",
    }
    try:
        counts = _playwright(workspace, "e2e", f"--project={project}", limit_s=2400, env=env)
    finally:
        demo.stop()
    if demo.exit_code != 0:
        counts += Counts(failed=1, failures=(f"e2e: the demo ended with {demo.exit_code}",))
    return counts
