"""The router's own process: reads every device, holds packets until they are due, answers on a socket.

It ends after its time, when its socket is removed, or on SIGTERM. Started by `deploy.lab.wan.lifecycle`.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from deploy.lab.errors import LabError
from deploy.lab.layout import Paths, Settings, nodes_of
from deploy.lab.wan.addresses import device, ends_of, namespace, proxies
from deploy.lab.wan.devices import open_tun, precise_timers
from deploy.lab.wan.plan import Plan
from deploy.lab.wan.protocol import ANSWER_LIMIT_S, socket_file
from deploy.lab.wan.report import Observation
from deploy.lab.wan.routes import Routes
from deploy.lab.wan.scheduler import Scheduler

READS = 32
"""Packets read from a device at a time, so that one device does not keep the others waiting."""
PACKET_BYTES = 2048
LONGEST_SLEEP_S = 1.0
PRIORITY = 1
"""The least one that goes before every ordinary process. Niceness counts only among processes of one session, where
the kernel groups them: beside busy servers a router of niceness -10 was up to 90 ms late, this one 0.4 ms."""


class Router:
    """One lab's router."""

    def __init__(self, paths: Paths, settings: Settings, plan: Plan) -> None:
        ends = ends_of(settings, nodes_of(settings))
        inside = {end.name: namespace(paths.home, end.name) for end in ends}
        self._ports = {name: open_tun(where, device(paths.home)) for name, where in inside.items()}
        self._routes = Routes(ends, self._ports, proxies(settings))
        self._routes.apply(plan)
        self._scheduler = Scheduler(random.random)
        self._observation = Observation(list(inside.values()), device(paths.home))
        self._file = socket_file(paths)
        self._server = _listen(self._file)
        self._handles = [*self._ports.values(), self._server.fileno()]
        self.is_stopped = False

    def run(self, seconds: float) -> None:
        """Route until told to stop, at most so long."""
        end = time.monotonic() + seconds
        checked = 0.0
        while not self.is_stopped and (now := time.monotonic()) < end:
            if now - checked > LONGEST_SLEEP_S:
                checked = now
                self.is_stopped = not self._file.exists()
            self._send()
            self._receive()

    def _send(self) -> None:
        """Deliver what is due."""
        scheduler, lateness = self._scheduler, self._observation.lateness
        now = time.monotonic()
        while (waiting := scheduler.pop(now)) is not None:
            due, path, packet = waiting
            lateness.record(now - due)
            try:
                os.write(path.port, packet)
            except OSError:
                self._observation.undelivered += 1
            now = time.monotonic()

    def _receive(self) -> None:
        """Wait for the next packet, request or due time."""
        due = self._scheduler.next_due()
        wait = LONGEST_SLEEP_S if due is None else min(LONGEST_SLEEP_S, max(0.0, due - time.monotonic()))
        ready, _, _ = select.select(self._handles, (), (), wait)
        now = time.monotonic()
        for handle in ready:
            if handle == self._server.fileno():
                self._serve()
            else:
                self._read(handle, now)

    def _read(self, handle: int, now: float) -> None:
        for _ in range(READS):
            try:
                packet = os.read(handle, PACKET_BYTES)
            except (BlockingIOError, OSError):
                return  # nothing more, or a device that is not up yet
            path = self._routes.of_packet(handle, packet)
            if path is not None:
                self._scheduler.accept(path, packet, now)

    def _serve(self) -> None:
        """One request, one answer; a client that is slow or wrong costs the packets no more than its time limit."""
        connection, _ = self._server.accept()
        with connection, suppress(OSError):
            connection.settimeout(ANSWER_LIMIT_S)
            try:
                answer = self._answer(json.loads(connection.makefile("rb").readline()))
            except (LabError, ValueError, KeyError, TypeError) as error:
                answer = {"error": f"{type(error).__name__}: {error}"}
            connection.sendall(json.dumps(answer).encode() + b"\n")

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["do"] == "apply":
            self._routes.apply(Plan.from_json(request["plan"]))
        elif request["do"] == "reset":
            self._routes.reset_counters()
            self._observation.reset()
        elif request["do"] != "report":
            raise LabError(f"the router does not know {request['do']!r}")
        return self._observation.report(self._routes, len(self._scheduler))


def _listen(file: Path) -> socket.socket:
    file.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX)
    before = os.umask(0o077)
    try:
        server.bind(str(file))
    finally:
        os.umask(before)
    server.listen(8)
    return server


def main() -> int:
    """Arguments: the lab's home, and how many seconds to run at most."""
    paths, seconds = Paths(Path(sys.argv[1])), float(sys.argv[2])
    settings = Settings.from_stored(json.loads(paths.settings.read_text()))
    plan = Plan.from_json(json.loads(paths.wan_plan.read_text()))
    with suppress(OSError):  # may be refused; then the report says how late it is
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(PRIORITY))
    precise_timers()
    router = Router(paths, settings, plan)

    def stop(*_: object) -> None:
        router.is_stopped = True

    signal.signal(signal.SIGTERM, stop)
    router.run(seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
