"""The browser tests: the pages on the API from memory, and on a whole demo with addresses of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from deploy.services.net import free_net, free_port
from deploy.services.process import PYTHON, ROOT, Child, ServiceError, wait_until
from deploy.testrun.counts import Counts
from deploy.testrun.tool import run_tests
from deploy.testrun.workspace import Workspace

UP_LIMIT_S = 300.0
MAIN_STATE = "@main"
"""The tests that draw each page once."""


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
    env = {"HAWSER_UI_PORT": str(free_port()), **({"HAWSER_WHOLE": "1"} if workspace.is_whole else {})}
    only = () if workspace.is_whole else ("--grep", MAIN_STATE)
    return _playwright(workspace, "ui", "--config", "tests/ui", "--project=ui", *only, limit_s=3600, env=env)


def _playwright(workspace: Workspace, name: str, *options: str, limit_s: float, env: Mapping[str, str]) -> Counts:
    command = [str(ROOT / "node_modules/.bin/playwright"), "test", "--reporter=list,junit", *options]
    return run_tests(workspace, name, command, limit_s=limit_s, env=env, again=("--last-failed",))


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
