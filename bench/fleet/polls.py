"""What it costs to poll many nodes, and how old the facts of each are: `python -m bench fleet-polls`."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import machine
from bench.fleet.console import ROOT, host_of
from bench.production import pid_of, settings
from deploy.services.mariadb import MariaDB, start_mariadb
from deploy.services.process import PYTHON, Child

SIZES = ((1, 6), (10, 6), (40, 6), (100, 6), (200, 10))
"""Links, and nodes of each."""
BEFORE, BEFORE_SIZES = "019cdef1", ((10, 6), (40, 6))
"""The last commit that polled each node from a thread of its own, for comparison in the same run."""
RATE, WARM_S, MEASURED_S, DEATHS = 2.0, 15.0, 20.0, 5
NET = os.environ.get("BENCH_NET", "127.64")

Figures = dict[str, Any]


def main() -> int:
    """Print the curve, a line as soon as it is measured; exit code 0."""
    for name, value in machine.describe().items():
        print(f"{name}: {value}")
    chosen = os.environ.get("BENCH_LINKS")
    sizes = [size for size in SIZES if chosen is None or str(size[0]) in chosen.split(",")]
    print(_HEAD, flush=True)
    for size in sizes:
        print(_line("now", _measure(ROOT, *size)), flush=True)
    with _before() as folder:
        for size in (one for one in BEFORE_SIZES if folder is not None and one in sizes):
            print(_line(BEFORE, _measure(folder or ROOT, *size)), flush=True)
    return 0


@contextmanager
def _before() -> Iterator[Path | None]:
    """A work tree of the earlier commit; None without a repository that has it."""
    folder = Path(tempfile.mkdtemp(prefix="hawser-before-")) / "tree"
    made = subprocess.run(["git", "worktree", "add", "-q", str(folder), BEFORE], cwd=ROOT, check=False)
    try:
        yield folder if made.returncode == 0 else None
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", str(folder)], cwd=ROOT, check=False)
        shutil.rmtree(folder.parent, ignore_errors=True)


def _measure(tree: Path, links: int, nodes: int) -> Figures:
    with tempfile.TemporaryDirectory(prefix="hawser-bench-") as home:
        server = start_mariadb(Path(home) / "mariadb", Path(home) / "mariadb.log")
        serve = [PYTHON, "-m", "bench.fleet.stand_in.serve", NET, str(links), str(nodes), str(RATE)]
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        stand_in = subprocess.Popen(serve, cwd=ROOT, **pipes)
        try:
            _reported(stand_in)
            return _polled(tree, Path(home), server, stand_in, links, nodes)
        finally:
            stand_in.kill()
            stand_in.wait()
            server.child.stop()


def _polled(
    tree: Path, home: Path, server: MariaDB, stand_in: subprocess.Popen[str], links: int, nodes: int
) -> Figures:
    env, script = os.environ | settings(server.url), str(ROOT / "bench/fleet/console.py")
    subprocess.run([PYTHON, "manage.py", "migrate", "--no-input", "-v0"], cwd=tree, env=env, check=True)
    subprocess.run([PYTHON, script, "register", NET, str(links), str(nodes)], cwd=tree, env=env, check=True)
    command = ["env", "-C", str(tree), PYTHON, script, "monitor"]
    monitor = Child("monitor", command, home / "monitor.log", env).start()
    try:
        database = Observed(server)
        _wait_for_all(database, links * nodes, monitor)
        time.sleep(WARM_S)
        figures = _figures(database, pid_of(monitor), pid_of(server.child), stand_in)
        return {"links": links, "nodes": links * nodes, **figures}
    finally:
        monitor.stop()


class Observed:
    """The console's database, as a reader sees it."""

    def __init__(self, server: MariaDB) -> None:
        import MySQLdb

        password = server.url.split(":")[2].split("@")[0]
        self._connection = MySQLdb.connect(
            host="127.0.0.1", port=server.port, user="hawser", password=password, database="hawser", autocommit=True
        )

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        cursor = self._connection.cursor()
        cursor.execute(sql)
        return list(cursor.fetchall())

    def reach(self, host: str) -> str:
        """Of the node there."""
        joined = "monitoring_nodestate s JOIN clusters_node n ON n.id = s.node_id"
        return str(self.rows(f"SELECT s.reach FROM {joined} WHERE n.host = '{host}'")[0][0])

    def ages(self) -> list[float]:
        """Of the facts of each node, now."""
        found = self.rows("SELECT TIMESTAMPDIFF(MICROSECOND, observed_at, UTC_TIMESTAMP(6)) FROM monitoring_nodestate")
        return [row[0] / 1e6 for row in found]


def _wait_for_all(database: Observed, nodes: int, monitor: Child) -> None:
    until = time.monotonic() + 240
    while database.rows("SELECT COUNT(*) FROM monitoring_nodestate WHERE reach = 'up'")[0][0] < nodes:
        if time.monotonic() > until:
            raise RuntimeError(f"not every node was polled:\n{monitor.tail()}")
        time.sleep(0.5)


def _figures(database: Observed, monitor: int, server: int, stand_in: subprocess.Popen[str]) -> Figures:
    counted = "SELECT COUNT(*), COUNT(DISTINCT node_id) FROM monitoring_checkpoint"
    began, polls = time.monotonic(), int(database.rows(counted)[0][0])
    spent = {pid: _cpu_s(pid) for pid in (monitor, server, stand_in.pid)}
    ages: list[float] = []
    while time.monotonic() < began + MEASURED_S:
        time.sleep(0.37)
        ages += database.ages()
    took = time.monotonic() - began
    (after, nodes), cores = database.rows(counted)[0], {pid: (_cpu_s(pid) - s) / took for pid, s in spent.items()}
    polls_s = (int(after) - polls) / took / nodes
    return {
        "polls_s": polls_s,
        "age_p50": statistics.median(ages),
        "age_p99": sorted(ages)[int(len(ages) * 0.99)],
        "monitor_cores": cores[monitor],
        "database_cores": cores[server],
        "stand_in_cores": cores[stand_in.pid],
        "ms": (cores[monitor] + cores[server]) * 1000 / nodes / max(polls_s, 0.001),
        "threads": len(list(Path(f"/proc/{monitor}/task").iterdir())),
        "mb": int(Path(f"/proc/{monitor}/statm").read_text().split()[1]) * 4096 / 1e6,
        "death_s": _deaths(database, stand_in),
    }


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _deaths(database: Observed, stand_in: subprocess.Popen[str]) -> float:
    """The longest of a few times from a node's death until its row says so."""
    longest = 0.0
    for index in range(1, 1 + DEATHS):
        host = host_of(NET, 0, index)
        began = time.monotonic()
        _obey(stand_in, f"kill {host}")
        while database.reach(host) == "up" and time.monotonic() < began + 30:
            time.sleep(0.02)
        longest = max(longest, time.monotonic() - began)
        _obey(stand_in, f"start {host}")
    return longest


def _obey(stand_in: subprocess.Popen[str], line: str) -> None:
    if stand_in.stdin is not None:
        stand_in.stdin.write(line + "\n")
        stand_in.stdin.flush()
    _reported(stand_in)


def _reported(stand_in: subprocess.Popen[str]) -> str:
    return "" if stand_in.stdout is None else stand_in.stdout.readline()


_HEAD = (
    "| way | links | nodes | polls/s a node | age p50 / p99 | cores: monitor | database | ms a poll "
    "| threads | memory | death seen within |\n|---|---|---|---|---|---|---|---|---|---|---|"
)


def _line(way: str, one: Figures) -> str:
    return (
        f"| {way} | {one['links']} | {one['nodes']} | {one['polls_s']:.2f} | {one['age_p50']:.2f} s / "
        f"{one['age_p99']:.2f} s | {one['monitor_cores']:.2f} | {one['database_cores']:.2f} | {one['ms']:.2f} | "
        f"{one['threads']} | {one['mb']:.0f} MB | {one['death_s']:.1f} s |"
    )


if __name__ == "__main__":
    sys.exit(main())
