"""Processes known by pid and start time."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from deploy.lab import process


def spawned(folder: Path) -> Path:
    pid_file = folder / "sleeper.pid"
    process.spawn(["/bin/sleep", "60"], pid_file, folder / "out")
    return pid_file


def test_process__killed__dead_and_not_a_zombie(tmp_path: Path) -> None:
    pid_file = spawned(tmp_path)
    assert process.state(pid_file) == process.RUNNING
    assert process.kill(pid_file)
    assert process.state(pid_file) == process.DEAD
    assert not process.kill(pid_file)


def test_process__stopped_by_signal__frozen_and_can_be_ended(tmp_path: Path) -> None:
    pid_file = spawned(tmp_path)
    process.send(pid_file, signal.SIGSTOP)
    process.wait_until(lambda: process.state(pid_file) == process.FROZEN, 5, "the freeze")
    assert process.terminate(pid_file, 5)


def test_process__pid_reused_by_a_stranger__never_touched(tmp_path: Path) -> None:
    pid_file = tmp_path / "stranger.pid"
    with subprocess.Popen(["/bin/sleep", "60"]) as stranger:
        pid_file.write_text(f"{stranger.pid} 1\n")
        assert process.state(pid_file) == process.DEAD
        assert not process.kill(pid_file)
        assert stranger.poll() is None
        os.kill(stranger.pid, signal.SIGKILL)
