from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deploy.demo import secrets
from deploy.demo.supervise import RESTARTS, WINDOW_S, Restarts
from deploy.services.process import ROOT

pytestmark = pytest.mark.slow


def test_secret__kept_twice__stays_the_same_and_private(tmp_path: Path) -> None:
    first = secrets.keep(tmp_path / "deep" / "key", "one")
    assert secrets.keep(tmp_path / "deep" / "key", "two") == first == "one"
    assert (tmp_path / "deep" / "key").stat().st_mode & 0o777 == 0o600


def test_restarts__more_than_the_limit_within_the_window__refused() -> None:
    restarts = Restarts()
    assert all(restarts.note(second) for second in range(RESTARTS))
    assert not restarts.note(RESTARTS)
    assert restarts.note(RESTARTS + WINDOW_S + 1)


def test_guard__released__does_nothing(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    guard = _guard(tmp_path / "lab")
    guard.communicate(b"released", timeout=20)
    assert guard.returncode == 0
    assert (tmp_path / "lab").exists()


def test_guard__its_demo_vanished__takes_the_lab_down() -> None:
    with TemporaryDirectory() as short:  # the path of a test's own folder is too long for Unix sockets
        lab = Path(short, "lab")
        lab.mkdir()
        guard = _guard(lab)
        guard.send_signal(signal.SIGINT)  # Ctrl-C reaches every process; the guard has to outlive it
        guard.communicate(b"", timeout=20)
        assert guard.returncode == 0
        assert not lab.exists()


def _guard(lab: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "deploy.demo.guard", str(lab)]
    guard = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    # Signals before it ignores them would end it; it is listening once its handlers are set.
    status = Path(f"/proc/{guard.pid}/status")
    sigint = 1 << (signal.SIGINT - 1)
    while not int(status.read_text().split("SigIgn:")[1].split()[0], 16) & sigint:
        assert guard.poll() is None
    return guard
