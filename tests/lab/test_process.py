"""Processes known by pid and start time."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from deploy.lab.server import process


def test_process__pid_reused_by_a_stranger__never_touched(tmp_path: Path) -> None:
    pid_file = tmp_path / "stranger.pid"
    with subprocess.Popen(["/bin/sleep", "60"]) as stranger:
        pid_file.write_text(f"{stranger.pid} 1\n")
        assert process.state(pid_file) == process.STOPPED
        assert not process.kill(pid_file)
        assert stranger.poll() is None
        os.kill(stranger.pid, signal.SIGKILL)


LEADER_ENDS_FIRST = """
import ctypes, socket, sys, threading, time
held = socket.create_server(("127.0.0.1", 0))
print(held.getsockname()[1], flush=True)
threading.Thread(target=time.sleep, args=(1.0,)).start()
ctypes.CDLL(None).pthread_exit(None)
"""


def test_process__leader_is_a_zombie_while_a_thread_holds_its_port__not_dead_yet(tmp_path: Path) -> None:
    """A killed server of many threads is in this state for a moment; a server started then finds its ports in use."""
    pid_file, output = tmp_path / "leader.pid", tmp_path / "out"
    pid = process.spawn([sys.executable, "-c", LEADER_ENDS_FIRST], pid_file, output)
    process.wait_until(lambda: _state_letter(pid) == "Z", 60, "the leader's end")
    port = int(output.read_text())
    assert not _is_free(port)
    assert process.state(pid_file) != process.STOPPED
    process.wait_until(lambda: process.state(pid_file) == process.STOPPED, 60, "the last thread's end")
    assert _is_free(port)


def _state_letter(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
