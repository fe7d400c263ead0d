"""Three monitors share forty links, and one of them is killed, frozen or stopped: `python -m bench owners`.

No server stands behind the links: each poll is refused at once, so that the figures are those of the sharing.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from bench import machine
from bench.production import settings
from bench.targets import Target
from deploy.services.mariadb import start_mariadb
from deploy.services.process import PYTHON, Child, run, wait_until

LINKS, MONITORS, ROUNDS = 40, 3, 5
MOVED_S = 5.0
FROZEN_S = 8.0
LOOK_EVERY_S = 0.05
NODES_NET = "127.154"

Json = dict[str, Any]


def main() -> int:
    """Exit code 0 if every aim was kept, else 1."""
    with tempfile.TemporaryDirectory(prefix="hawser-bench-") as folder:
        home = Path(folder)
        server = start_mariadb(home / "mariadb", home / "mariadb.log")
        os.environ |= settings(server.url)
        try:
            run([PYTHON, "manage.py", "migrate", "--no-input"])
            import django

            django.setup()
            _register()
            return _report(_measure(home))
        finally:
            server.child.stop()


def _register() -> None:
    from backend.clusters.models import Cluster, Credential, CredentialRole, Node
    from backend.common.sealing import seal
    from backend.monitoring.models import LagSample, LinkStatus
    from bench.fleet.stored_links import register

    register(1, LINKS)
    LinkStatus.objects.all().delete()
    LagSample.objects.all().delete()
    for number, node in enumerate(Node.objects.order_by("pk")):
        Node.objects.filter(pk=node.pk).update(host=f"{NODES_NET}.{number // 200}.{number % 200 + 1}", port=1)
    for cluster in Cluster.objects.all():
        for role in CredentialRole:
            sealed = seal("none", cluster_id=cluster.pk, role=role.value)
            Credential.objects.create(cluster=cluster, role=role.value, user="nobody", sealed=sealed)


@dataclass
class Watch:
    """Looks at the owners again and again; by link: who owned it, and since when nobody did."""

    owners: dict[str, str] = field(default_factory=dict)
    unowned: list[float] = field(default_factory=list)
    moves: list[tuple[float, str]] = field(default_factory=list)
    _since: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._loop, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(10)

    def _loop(self) -> None:
        from django.db import connection

        while not self._stop.wait(LOOK_EVERY_S):
            self._observe()
        connection.close()

    def _observe(self) -> None:
        from django.db.models.functions import Now

        from backend.clusters.models import Link
        from backend.monitoring.models import ClusterOwner, MonitorProcess

        alive = set(MonitorProcess.objects.filter(until__gt=Now()).values_list("name", flat=True))
        holders = dict(ClusterOwner.objects.values_list("pk", "holder"))
        now = time.monotonic()
        for link, active, standby in Link.objects.values_list("name", "active_cluster_id", "standby_cluster_id"):
            holder = holders.get(active, "")
            if holder not in alive or holders.get(standby) != holder:
                self._since.setdefault(link, now)
                continue
            if link in self._since:
                self.unowned.append(now - self._since.pop(link))
            if self.owners.get(link, holder) != holder:
                self.moves.append((now, link))
            self.owners[link] = holder

    def all_owned(self) -> bool:
        """Whether every link has an owner now."""
        return len(self.owners) == LINKS and not self._since

    def shares(self) -> list[int]:
        """How many links each owner has."""
        return sorted(list(self.owners.values()).count(name) for name in set(self.owners.values()))


def _monitor(home: Path, number: int) -> Child:
    env = {**os.environ, "HAWSER_PROCESS": "monitor"}
    return Child(f"monitor-{number}", [PYTHON, "manage.py", "hawser_monitor"], home / f"{number}.log", env).start()


def _measure(home: Path) -> Json:
    monitors = [_monitor(home, number) for number in range(MONITORS)]
    found: Json = {"machine": machine.describe()}
    try:
        with Watch() as watch:
            if not wait_until(lambda: watch.all_owned() and len(watch.shares()) == MONITORS, 120, monitors[0]):
                raise RuntimeError(f"the links were not shared: {watch.shares()}\n{monitors[0].tail()}")
            found["shares"] = watch.shares()
            for name, harm in (("killed", _kill), ("frozen", _freeze), ("stopped", _stop)):
                found[name] = _rounds(home, watch, monitors, harm)
    finally:
        for monitor in monitors:
            if monitor.process is not None and monitor.running:
                monitor.process.send_signal(signal.SIGCONT)
            monitor.stop()
    return found


Harm = Callable[[Path, list[Child], int], None]


def _rounds(home: Path, watch: Watch, monitors: list[Child], harm: Harm) -> Json:
    """Each time another monitor; afterwards all three share the links again."""
    moved_s: list[float] = []
    watch.unowned.clear()
    began = _newest_sample()
    for number in range(ROUNDS):
        victim = number % MONITORS
        process = monitors[victim].process
        mark = f":{process.pid}-" if process else ""
        lost = {link for link, owner in watch.owners.items() if mark in owner}
        before, struck = len(watch.moves), time.monotonic()
        harm(home, monitors, victim)
        wait_until(partial(_has_moved, watch, before, lost), 30)
        moved_s += [at - struck for at, link in watch.moves[before:] if link in lost]
        _restore(home, monitors, victim)
        wait_until(lambda: watch.all_owned() and len(watch.shares()) == MONITORS, 60)
        time.sleep(3)
    return {
        "links": len(moved_s),
        "moved_s": _spread(moved_s),
        "unowned_s": _spread(watch.unowned),
        **_samples(began),
    }


def _has_moved(watch: Watch, before: int, lost: set[str]) -> bool:
    return lost <= {link for _, link in watch.moves[before:]}


def _kill(home: Path, monitors: list[Child], victim: int) -> None:
    _signal(monitors[victim], signal.SIGKILL)


def _freeze(home: Path, monitors: list[Child], victim: int) -> None:
    _signal(monitors[victim], signal.SIGSTOP)


def _stop(home: Path, monitors: list[Child], victim: int) -> None:
    _signal(monitors[victim], signal.SIGTERM)


def _restore(home: Path, monitors: list[Child], victim: int) -> None:
    """A frozen one goes on with what it had in memory; another process follows one that ended."""
    child = monitors[victim]
    if child.process is not None and child.process.poll() is None and _is_stopped(child.process.pid):
        time.sleep(FROZEN_S - MOVED_S)
        _signal(child, signal.SIGCONT)
        return
    child.stop()
    monitors[victim] = _monitor(home, victim)


def _is_stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def _signal(child: Child, number: signal.Signals) -> None:
    if child.process is not None:
        child.process.send_signal(number)


def _newest_sample() -> int:
    from backend.monitoring.models import LagSample

    newest = LagSample.objects.order_by("-pk").values_list("pk", flat=True).first()
    return int(newest or 0)


def _samples(began: int) -> Json:
    """Of each link: how long it had no new sample, and samples that are older than the one stored before them."""
    from backend.monitoring.models import LagSample

    gaps: list[float] = []
    older = 0
    last: dict[str, datetime] = {}
    for link, at in LagSample.objects.filter(pk__gt=began).order_by("pk").values_list("link_id", "at"):
        if link in last:
            gap = (at - last[link]).total_seconds()
            older += gap < 0
            gaps.append(gap)
        last[link] = at
    return {"samples": len(gaps), "older_samples": older, "longest_gap_s": round(max(gaps, default=0.0), 2)}


def _spread(values: list[float]) -> Json:
    if not values:
        return {"count": 0, "median": 0.0, "most": 0.0}
    return {"count": len(values), "median": round(statistics.median(values), 2), "most": round(max(values), 2)}


def _aims(found: Json) -> list[Target]:
    aims = []
    for name in ("killed", "frozen"):
        moved = found[name]["moved_s"]
        measured = f"median {moved['median']} s, longest {moved['most']} s of {moved['count']} links"
        text = f"a monitor is {name}: its links have another owner within {MOVED_S:.0f} s"
        aims.append(Target(text, measured, moved["count"] > 0 and moved["most"] < MOVED_S))
    older = sum(found[name]["older_samples"] for name in ("killed", "frozen", "stopped"))
    count = sum(found[name]["samples"] for name in ("killed", "frozen", "stopped"))
    return [*aims, Target("no sample is older than the one before it", f"{older} of {count}", older == 0)]


def _report(found: Json) -> int:
    aims = _aims(found)
    for name, value in found["machine"].items():
        print(f"{name}: {value}")
    for aim in aims:
        print(f"- {aim.text}: {aim.measured}: {'kept' if aim.is_met else 'MISSED'}")
    print(json.dumps({name: value for name, value in found.items() if name != "machine"}, indent=1))
    return 0 if all(aim.is_met for aim in aims) else 1
