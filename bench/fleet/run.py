"""Two hundred links on the real console and in a real browser: `python -m bench fleet`."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from bench import machine
from bench.production import settings
from bench.targets import Target
from deploy.demo import frontend
from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_port, port_open
from deploy.services.process import PYTHON, ROOT, Child, run, wait_until

LINKS = 200
MOST_LINKS = 500
USER, PASSWORD = "bench", "correct horse battery staple"
OPEN_MS = 1000.0
INPUT_MS = 100.0
MAIN_THREAD = 0.2
RUNS = 5

Json = dict[str, Any]


def main() -> int:
    """Exit code 0 if every aim was kept, else 1."""
    frontend.build_if_stale()
    with tempfile.TemporaryDirectory(prefix="hawser-bench-") as folder:
        home = Path(folder)
        server = start_mariadb(home / "mariadb", home / "mariadb.log")
        os.environ |= settings(server.url)
        try:
            return _report(_measure(home))
        finally:
            server.child.stop()


def _measure(home: Path) -> Json:
    run([PYTHON, "manage.py", "migrate", "--no-input"])
    run([PYTHON, "manage.py", "hawser_user", USER, "--role", "admin", "--password-stdin"], stdin=PASSWORD + "\n")
    import django

    django.setup()
    from bench.fleet.stored_links import register

    register(1, LINKS)
    found = {"machine": machine.describe(), "api": {LINKS: _api()}, **_in_browser(home)}
    register(LINKS + 1, MOST_LINKS)
    found["api"][MOST_LINKS] = _api()
    return found


def _api() -> Json:
    """Queries and time of the rows as JSON, and of the metrics, in this process."""
    from backend.api.fleet import fleet
    from backend.api.metrics import exposition
    from backend.common.privileges import Privileges
    from backend.common.rest.views import render_json
    from backend.common.roles import PERMISSIONS, Role

    return {
        "rows": _timed(lambda: render_json(None, fleet(Privileges(PERMISSIONS[Role.ADMIN])))),
        "metrics": _timed(exposition),
    }


def _timed(call: Any) -> Json:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as asked:
        size = len(call())
    began = time.process_time()
    for _ in range(RUNS):
        call()
    return {"queries": len(asked), "bytes": size, "cpu_ms": (time.process_time() - began) * 1000 / RUNS}


def _in_browser(home: Path) -> Json:
    from bench.fleet.stored_links import Observations

    port = free_port()
    uvicorn = ["-m", "uvicorn", "backend.config.asgi:application", "--port", str(port), "--no-access-log"]
    web = Child("web", [PYTHON, *uvicorn, "--timeout-graceful-shutdown", "3"], home / "web.log", dict(os.environ))
    web.start()
    try:
        if not wait_until(lambda: port_open(port), 60, web):
            raise RuntimeError(f"the console did not come up:\n{web.tail()}")
        command = ["node", "bench/fleet/page.mjs", f"http://127.0.0.1:{port}", USER, PASSWORD]
        with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as page:
            idle = {"open": _ask(page, "open")} | _ask(page, "watch")
            with Observations():
                busy = {"open": _ask(page, "open")} | _ask(page, "watch")
            page.communicate()
    finally:
        web.stop()
    return {"idle": idle, "busy": busy}


def _ask(page: subprocess.Popen[str], what: str) -> Json:
    if page.stdin is None or page.stdout is None:
        raise RuntimeError("the browser's script has no pipe")
    page.stdin.write(what + "\n")
    page.stdin.flush()
    answer: Json = json.loads(page.stdout.readline())
    return answer


def _aims(found: Json) -> list[Target]:
    busy = found["busy"]
    frames, inputs = busy["frames"], busy["inputs"]
    return [
        *(
            _opening_aim(found[when]["open"], during)
            for when, during in (("idle", ""), ("busy", "beside 50 events a second, "))
        ),
        Target(
            f"beside 50 events a second: rows drawn within {INPUT_MS:.0f} ms of a key or a click",
            f"median {inputs['median_ms']:.0f} ms, p95 {inputs['p95_ms']:.0f} ms of {inputs['count']}",
            inputs["p95_ms"] < INPUT_MS,
        ),
        Target(
            "beside 50 events a second: no dropped frame in 10 s",
            f"{frames['dropped']} of {frames['frames']} dropped, longest {frames['longest_ms']:.0f} ms",
            frames["dropped"] == 0,
        ),
        Target(
            f"beside 50 events a second: the page's main thread works less than {MAIN_THREAD:.0%} of the time",
            f"{frames['main_thread_ms'] / 10_000:.1%}",
            frames["main_thread_ms"] / 10_000 < MAIN_THREAD,
        ),
    ]


def _opening_aim(opened: Json, during: str) -> Target:
    return Target(
        f"{during}{LINKS} links: first rows within {OPEN_MS / 1000:.0f} s of opening the address",
        f"median {opened['median_ms']:.0f} ms, slowest {opened['most_ms']:.0f} ms of {opened['count']}",
        opened["most_ms"] < OPEN_MS,
    )


def _report(found: Json) -> int:
    aims = _aims(found)
    for name, value in found["machine"].items():
        print(f"{name}: {value}")
    for aim in aims:
        print(f"- {aim.text}: {aim.measured}: {'kept' if aim.is_met else 'MISSED'}")
    for count, api in found["api"].items():
        for name, figures in api.items():
            print(f"- {count} links, {name}: {figures['queries']} queries, {figures['bytes']} bytes, "
                  f"{figures['cpu_ms']:.0f} ms of processor time")  # fmt: skip
    print(json.dumps({key: found[key] for key in ("idle", "busy")}, indent=1))
    return 0 if all(aim.is_met for aim in aims) else 1
