from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.services import net as services_net
from deploy.services.net import FIRST_NET, free_net, free_port, port_open
from deploy.services.process import ROOT, Child, wait_until
from deploy.services.redis import start_redis
from deploy.testrun.tool import run_tool


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def _pid_in(path: Path) -> int:
    assert wait_until(lambda: path.exists() and path.read_text().endswith("\n"), 10)
    return int(path.read_text())


def test_child__that_ignores_sigterm__is_killed_after_its_grace(tmp_path: Path) -> None:
    script = "trap '' TERM; echo up; while :; do sleep 0.1; done"
    child = Child("stubborn", ["bash", "-c", script], tmp_path / "log", grace_s=0.3).start()
    assert wait_until(lambda: "up" in child.tail(), 10, child)
    child.stop()
    assert child.exit_code == -signal.SIGKILL


def test_child__with_children_of_its_own__leaves_none_behind(tmp_path: Path) -> None:
    script = f"sleep 300 & echo $! > {tmp_path}/pid; wait"
    child = Child("parent", ["bash", "-c", script], tmp_path / "log", grace_s=2).start()
    grandchild = _pid_in(tmp_path / "pid")
    child.stop()
    assert wait_until(lambda: not _alive(grandchild), 5)


def test_child__when_its_supervisor_is_killed__dies_too(tmp_path: Path) -> None:
    script = (
        "from pathlib import Path; import time; from deploy.services.process import Child\n"
        f"child = Child('c', ['sleep', '300'], Path('{tmp_path}/log')).start()\n"
        f"Path('{tmp_path}/pid').write_text(f'{{child.process.pid}}\\n'); time.sleep(300)"
    )
    supervisor = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)
    orphan = _pid_in(tmp_path / "pid")
    supervisor.kill()
    supervisor.wait()
    assert wait_until(lambda: not _alive(orphan), 5)


def test_tool__past_its_limit__is_ended_with_all_it_started(tmp_path: Path) -> None:
    script = f"sleep 300 & echo $! > {tmp_path}/pid; wait"
    assert run_tool(["bash", "-c", script], limit_s=1) == 124
    assert wait_until(lambda: not _alive(_pid_in(tmp_path / "pid")), 5)


def test_redis__started_and_stopped__wants_a_password_and_leaves_nothing(tmp_path: Path) -> None:
    redis = start_redis(tmp_path / "redis", tmp_path / "log")
    try:
        asked = subprocess.run(
            ["redis-cli", "-p", str(redis.port), "ping"], capture_output=True, text=True, check=False
        )
        assert "NOAUTH" in asked.stdout
        assert (tmp_path / "redis/redis.conf").stat().st_mode & 0o077 == 0
    finally:
        redis.child.stop()
    assert not port_open(redis.port)


ASK = "from deploy.services.net import *; print(free_port(), free_net(), flush=True); input()"


def other_process() -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ASK]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_free_port_and_net__drawn_by_a_process__no_others_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with other_process() as other:
        assert other.stdout is not None
        port, net = other.stdout.readline().split()
        monkeypatch.setattr(services_net, "FIRST_PORT", int(port))
        monkeypatch.setattr(services_net, "PORTS", 1)
        with pytest.raises(OSError, match="is free"):
            free_port()
        start = int(net.split(".")[1]) - FIRST_NET
        assert free_net(start) != net
        other.communicate("end\n")
    assert (free_port(), free_net(start)) == (int(port), net)
    with pytest.raises(OSError, match="is free"):
        free_port()


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/proc/self/autogroup").exists(), reason="the kernel gives no share")
@pytest.mark.parametrize("nice", [0, -7])
def test_child__share_of_the_processors__is_that_of_its_session(tmp_path: Path, nice: int) -> None:
    child = Child("sleeper", ["sleep", "30"], tmp_path / "log", autogroup_nice=nice).start()
    try:
        assert child.process is not None
        assert Path(f"/proc/{child.process.pid}/autogroup").read_text().endswith(f"nice {nice}\n")
    finally:
        child.stop()
