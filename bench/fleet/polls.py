"""What it costs to poll many nodes, and how old the facts of each are: `python -m bench fleet-polls`.

`BENCH_LINKS=10,200` chooses sizes, `BENCH_MONITORS=2` how many monitors share the links, and `BENCH_BEFORE=COMMIT` the
former commit, which is measured with the chosen sizes.
"""

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

SIZES = ((1, 6), (10, 6), (40, 6), (100, 6), (200, 10), (500, 6))
"""Links, and nodes of each; the last one only where it is chosen."""
MONITORS = int(os.environ.get("BENCH_MONITORS", "1"))
BEFORE, BEFORE_SIZES = "019cdef1", ((10, 6), (40, 6))
"""The last commit that polled each node from a thread of its own, for comparison in the same run."""
RATE, WARM_S, MEASURED_S, DEATHS = 2.0, 15.0, 20.0, 5
NET = os.environ.get("BENCH_NET", "127.64")

Figures = dict[str, Any]


def main() -> int:
    """Print the curve, a line as soon as it is measured; exit code 0."""
    for name, value in machine.describe().items():
        print(f"{name}: {value}")
    chosen = os.environ.get("BENCH_LINKS", "1,10,40,100,200").split(",")
    sizes = [size for size in SIZES if str(size[0]) in chosen]
    commit = os.environ.get("BENCH_BEFORE", BEFORE)
    former = [size for size in sizes if "BENCH_BEFORE" in os.environ or size in BEFORE_SIZES]
    print(_HEAD, flush=True)
    for size in sizes:
        print(_line("now", _measure(ROOT, *size)), flush=True)
    with _before(commit) as folder:
        for size in former if folder is not None else ():
            print(_line(commit, _measure(folder or ROOT, *size)), flush=True)
    return 0


@contextmanager
def _before(commit: str) -> Iterator[Path | None]:
    """A work tree of the earlier commit; None without a repository that has it."""
    folder = Path(tempfile.mkdtemp(prefix="hawser-before-")) / "tree"
    made = subprocess.run(["git", "worktree", "add", "-q", str(folder), commit], cwd=ROOT, check=False)
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
    if tree != ROOT:
        del env["HAWSER_SECOND_FACTOR_ROLES"]  # its word for none is newer than the former commit
    subprocess.run([PYTHON, "manage.py", "migrate", "--no-input", "-v0"], cwd=tree, env=env, check=True)
    subprocess.run([PYTHON, script, "register", NET, str(links), str(nodes)], cwd=tree, env=env, check=True)
    command = ["env", "-C", str(tree), PYTHON, script, "monitor"]
    names = [f"monitor-{number}" for number in range(1, MONITORS + 1)]
    monitors = [Child(name, command, home / f"{name}.log", env).start() for name in names]
    try:
        database = Observed(server)
        _wait_for_all(database, links * nodes, monitors)
        time.sleep(WARM_S)
        figures = _figures(database, [pid_of(one) for one in monitors], pid_of(server.child), stand_in)
        return {"links": links, "nodes": links * nodes, **figures}
    finally:
        for monitor in monitors:
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


def _wait_for_all(database: Observed, nodes: int, monitors: list[Child]) -> None:
    """Until each node was polled, and each monitor has its part."""
    until = time.monotonic() + 240
    while not _are_shared(database, nodes, len(monitors)):
        if time.monotonic() > until:
            raise RuntimeError(f"not every node was polled, or not by all monitors:\n{monitors[0].tail()}")
        time.sleep(0.5)


def _are_shared(database: Observed, nodes: int, monitors: int) -> bool:
    up = database.rows("SELECT COUNT(*) FROM monitoring_nodestate WHERE reach = 'up'")[0][0]
    # A former commit has no owners.
    if up < nodes or monitors == 1:
        return bool(up >= nodes)
    return bool(database.rows("SELECT COUNT(DISTINCT holder) FROM monitoring_clusterowner")[0][0] >= monitors)


def _figures(database: Observed, monitors: list[int], server: int, stand_in: subprocess.Popen[str]) -> Figures:
    counted = "SELECT COUNT(*), COUNT(DISTINCT node_id) FROM monitoring_checkpoint"
    began, polls = time.monotonic(), int(database.rows(counted)[0][0])
    spent = {pid: _cpu_s(pid) for pid in (*monitors, server, stand_in.pid)}
    ages: list[float] = []
    while time.monotonic() < began + MEASURED_S:
        time.sleep(0.37)
        ages += database.ages()
    took = time.monotonic() - began
    (after, nodes), cores = database.rows(counted)[0], {pid: (_cpu_s(pid) - s) / took for pid, s in spent.items()}
    polls_s = (int(after) - polls) / took / nodes
    of_monitors = sum(cores[pid] for pid in monitors)
    return {
        "polls_s": polls_s,
        "age_p50": statistics.median(ages),
        "age_p99": sorted(ages)[int(len(ages) * 0.99)],
        "monitor_cores": of_monitors,
        "database_cores": cores[server],
        "stand_in_cores": cores[stand_in.pid],
        "ms": (of_monitors + cores[server]) * 1000 / nodes / max(polls_s, 0.001),
        "threads": max(len(list(Path(f"/proc/{pid}/task").iterdir())) for pid in monitors),
        "mb": sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in monitors) * 4096 / 1e6,
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
    "| way | monitors | links | nodes | polls/s a node | age p50 / p99 | cores: monitors | database | stand-in "
    "| ms a poll | threads of one | memory of all | death seen within |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def _line(way: str, one: Figures) -> str:
    cores = (one[f"{name}_cores"] for name in ("monitor", "database", "stand_in"))
    return (
        f"| {way} | {MONITORS} | {one['links']} | {one['nodes']} | {one['polls_s']:.2f} | {one['age_p50']:.2f} s / "
        f"{one['age_p99']:.2f} s | {' | '.join(format(core, '.2f') for core in cores)} | {one['ms']:.2f} | "
        f"{one['threads']} | {one['mb']:.0f} MB | {one['death_s']:.1f} s |"
    )


if __name__ == "__main__":
    sys.exit(main())
