"""Two hundred links listed, and a hundred event streams followed, on the real console: `python -m bench listing`."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import machine
from bench.production import pid_of, settings
from bench.targets import Target
from deploy.services.mariadb import start_mariadb
from deploy.services.net import free_port, port_open
from deploy.services.process import PYTHON, Child, run, wait_until

LINKS, STREAMS, EVENTS_PER_S, FOR_S = 200, 100, 50, 20
LIST_MS, DELAY_MS = 60.0, 1000.0
NEW_LISTS, LISTS = 20, 100

Json = dict[str, Any]


def main() -> int:
    """Exit code 0 if every aim was kept, else 1."""
    with tempfile.TemporaryDirectory(prefix="hawser-bench-") as folder:
        home = Path(folder)
        server = start_mariadb(home / "mariadb", home / "mariadb.log")
        os.environ |= settings(server.url) | {"HAWSER_CALLS_PER_MINUTE": "100000"}
        try:
            run([PYTHON, "manage.py", "migrate", "--no-input"])
            return _report(_measured(home, server.child))
        finally:
            server.child.stop()


def _measured(home: Path, database: Child) -> Json:
    import django

    django.setup()
    from bench.fleet.stored_links import register

    register(1, LINKS)
    tokens = [_token(f"user-{number}") for number in range(STREAMS)]
    port = free_port()
    uvicorn = ["-m", "uvicorn", "backend.config.asgi:application", "--port", str(port), "--no-access-log"]
    web = Child("web", [PYTHON, *uvicorn, "--timeout-graceful-shutdown", "3"], home / "web.log", dict(os.environ))
    web.start()
    try:
        if not wait_until(lambda: port_open(port), 60, web):
            raise RuntimeError(f"the console did not come up:\n{web.tail()}")
        found: Json = {"machine": machine.describe()}
        for path in ("links", "fleet"):
            found[path] = _lists(port, path, tokens[0])
        found["streams"] = asyncio.run(_streams(port, tokens, {"web": pid_of(web), "database": pid_of(database)}))
        return found
    finally:
        web.stop()


def _token(name: str) -> str:
    from backend.identity.accounts import services, token_services

    user = services.user_create(actor="bench", username=name, role="viewer", password=None)
    return token_services.token_create(owner=user, label="bench", role=None, expires_days=None, actor="bench")[1]


def _lists(port: int, path: str, token: str) -> Json:
    """Milliseconds of an answer that is built new, and of one after the other."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/api/v1/{path}", headers={"Authorization": f"Bearer {token}"}
    )

    def ask() -> float:
        began = time.perf_counter()
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - see above
            answer.read()
        return (time.perf_counter() - began) * 1000

    def ask_later() -> float:
        time.sleep(1.01)
        return ask()

    return {"new": _spread(ask_later, NEW_LISTS), "all": _spread(ask, LISTS)}


def _spread(ask: Callable[[], float], count: int) -> Json:
    ask()
    return _quantiles([ask() for _ in range(count)])


def _quantiles(values: list[float]) -> Json:
    cuts = statistics.quantiles(values, n=20)
    return {"p50": statistics.median(values), "p95": cuts[18], "most": max(values), "count": len(values)}


async def _streams(port: int, tokens: list[str], pids: dict[str, int]) -> Json:
    delays: list[float] = []
    followers = [asyncio.create_task(_follow(port, token, delays)) for token in tokens]
    await asyncio.sleep(5)
    open_at_rest = {name: _threads(pid) for name, pid in pids.items()}
    before, began = {name: _cpu_s(pid) for name, pid in pids.items()}, time.monotonic()
    await asyncio.to_thread(_write_events)
    wall_s = time.monotonic() - began
    cores = {name: (_cpu_s(pid) - before[name]) / wall_s for name, pid in pids.items()}
    await asyncio.sleep(2)
    lost = [task for task in followers if task.done()]
    for task in followers:
        task.cancel()
    expected = FOR_S * EVENTS_PER_S * len(tokens)
    return _quantiles(delays) | {
        "cores": cores,
        "threads": open_at_rest,
        "received": len(delays),
        "expected": expected,
        "ended": len(lost),
    }


async def _follow(port: int, token: str, delays: list[float]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    head = f"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(head.encode())
    while line := await reader.readline():
        if line.startswith(b"data: {") and b'"sent":' in line:
            delays.append((time.time() - json.loads(line[6:])["sent"]) * 1000)


def _write_events() -> None:
    from django.db import connection

    from backend.clusters.models import Link
    from backend.common.events import services as events

    links = list(Link.objects.values_list("pk", flat=True))
    began = time.monotonic()
    for count in range(FOR_S * EVENTS_PER_S):
        time.sleep(max(0.0, began + count / EVENTS_PER_S - time.monotonic()))
        link_id = links[count % len(links)]
        events.append(type="link.updated", link_id=link_id, data={"link_id": link_id, "sent": time.time()})
    connection.close()


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _threads(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def _report(found: Json) -> int:
    streams = found["streams"]
    aims = [
        *(
            Target(
                f"{LINKS} links by GET /{path}: p95 under {LIST_MS:.0f} ms",
                f"built new: {_text(found[path]['new'])}; one after the other: {_text(found[path]['all'])}",
                found[path]["new"]["p95"] < LIST_MS,
            )
            for path in ("links", "fleet")
        ),
        Target(
            f"{STREAMS} event streams beside {EVENTS_PER_S} events a second: p95 of an event's delay under a second",
            _text(streams),
            streams["p95"] < DELAY_MS,
        ),
        Target(
            "each stream received each event, and none ended",
            f"{streams['received']} of {streams['expected']}, {streams['ended']} ended",
            streams["received"] == streams["expected"] and not streams["ended"],
        ),
    ]
    for name, value in found["machine"].items():
        print(f"{name}: {value}")
    for aim in aims:
        print(f"- {aim.text}: {aim.measured}: {'kept' if aim.is_met else 'MISSED'}")
    for name, cores in streams["cores"].items():
        print(f"- {name}: {cores:.2f} cores, {streams['threads'][name]} threads with {STREAMS} streams open")
    return 0 if all(aim.is_met for aim in aims) else 1


def _text(found: Json) -> str:
    parts = f"median {found['p50']:.0f} ms, p95 {found['p95']:.0f} ms, slowest {found['most']:.0f} ms"
    return f"{parts} of {found['count']:,}"
