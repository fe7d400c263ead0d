"""The whole product for a while: the demo's lab, Redis, web, worker and monitor, driven by REST."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.workspace import Workspace, empty_folder
from deploy.demo.api import Api
from deploy.lab.api import Lab
from deploy.services.process import PYTHON, ROOT, die_with_parent

UP_LIMIT_S = 240.0
LIFE_S = 900
PORT = int(os.environ.get("HAWSER_PORT", "8863"))
_ENDED = ("succeeded", "failed", "aborted", "needs_operator")

Json = dict[str, Any]


class Console:
    """A running demo without its load; a context manager that takes all of it down again."""

    def __init__(self, workspace: Workspace, *, wan: str = "", life_s: float = LIFE_S) -> None:
        self._life_s = life_s
        self._distance = ["--wan", wan] if wan else []
        self._patience = 4.0 if wan else 1.0
        self.lab = Lab(workspace.lab_home, workspace.net)
        self._home = empty_folder(workspace.folder / "demo")
        self._ready = self._home / "ready.json"
        self._env = os.environ | {"HAWSER_LAB_HOME": str(workspace.lab_home), "HAWSER_LAB_NET": workspace.net}
        self._process: subprocess.Popen[bytes] | None = None
        self._api = Api(PORT, "")
        self._link = ""

    def __enter__(self) -> Console:
        command = [
            PYTHON, "-m", "deploy.demo", "--home", str(self._home), "--port", str(PORT), "--no-load",
            "--seconds", str(self._life_s), "--ready-file", str(self._ready),
            *self._distance,
        ]  # fmt: skip
        log = self._home / "demo.log"
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._env,
                stdout=output,
                stderr=output,
                preexec_fn=die_with_parent,  # noqa: PLW1509 - see there
            )
        try:
            wait_for(lambda: self._is_ready(log), UP_LIMIT_S, "the console to come up")
        except BaseException:
            self._end()
            raise
        facts = json.loads(self._ready.read_text())
        self._api, self._link = Api(PORT, facts["token"]), facts["link_id"]
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(120)

    def _is_ready(self, log: Path) -> bool:
        if self._process is None or self._process.poll() is not None:
            raise RuntimeError(f"the console did not come up:\n{log.read_text()[-2000:]}")
        return self._ready.exists()

    def link(self) -> Json:
        """The link as the monitor last saw it."""
        return self._ask("GET", f"/links/{self._link}")

    def node(self, node_id: str) -> Json:
        """A node as the monitor last saw it."""
        return self._ask("GET", f"/nodes/{node_id}")

    def node_ids(self) -> dict[str, str]:
        """Ids of the registered nodes by name."""
        clusters = self.link()["clusters"]
        return {node["name"]: node["id"] for side in ("active", "standby") for node in clusters[side]["nodes"]}

    def plan(self, kind: str, **options: Any) -> Json:
        """A ready plan; RuntimeError with the reasons where it is refused."""
        plan = self._ask(
            "POST", f"/links/{self._link}/plans", {"kind": kind, "reason": "benchmark", "options": options}
        )
        if plan["state"] != "ready":
            reasons = [f["message"] for f in plan["findings"] if f["severity"] in ("blocker", "unknown")]
            raise RuntimeError(f"the plan was refused: {' '.join(reasons)}")
        return plan

    def run(self, plan: Json, limit_s: float = 90.0) -> Json:
        """Confirm a plan and wait for the end of its run; RuntimeError where it does not succeed."""
        body = {"digest": plan["digest"], "confirm": plan["link_name"], "reason": "benchmark"}
        run_id = self._ask("POST", f"/plans/{plan['id']}/runs", body)["id"]
        run: Json = {}

        def ended() -> bool:
            run.update(self._ask("GET", f"/runs/{run_id}"))
            return run["state"] in _ENDED

        wait_for(ended, limit_s * self._patience, "the run to end", pause_s=0.25)
        if run["state"] != "succeeded":
            raise RuntimeError(f"run {run_id} ended as {run['state']}: {run['outcome']}")
        return run

    def _ask(self, method: str, path: str, body: Json | None = None) -> Json:
        status, answer = self._api.call(method, f"/api/v1{path}", body)
        if status >= 300 or not isinstance(answer, dict):
            raise RuntimeError(f"{method} {path} answered {status}: {answer}")
        return answer


def wait_for(ask: Callable[[], bool], limit_s: float, what: str, pause_s: float = 0.2) -> None:
    """Ask until it is so; TimeoutError naming what was waited for."""
    until = time.monotonic() + limit_s
    while not ask():
        if time.monotonic() > until:
            raise TimeoutError(f"waited {limit_s:.0f} s for {what}")
        time.sleep(pause_s)
