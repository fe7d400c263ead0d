from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deploy.demo import frontend, secrets
from deploy.demo.options import parse
from deploy.demo.supervise import RESTARTS, WINDOW_S, Restarts, supervise
from deploy.services.process import ROOT, Child, ServiceError

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


def test_supervise__child_that_dies__is_started_again(tmp_path: Path) -> None:
    script = f"echo x >> {tmp_path}/starts; [ $(wc -l < {tmp_path}/starts) -lt 2 ] || exec sleep 60"
    child = Child("phoenix", ["bash", "-c", script], tmp_path / "log").start()
    try:
        supervise([child], seconds=3)
        assert child.running
        assert (tmp_path / "starts").read_text() == "x\nx\n"
    finally:
        child.stop()


def test_supervise__child_that_never_stays_up__ends_the_demo(tmp_path: Path) -> None:
    child = Child("broken", ["bash", "-c", "echo no key; exit 1"], tmp_path / "log").start()
    with pytest.raises(ServiceError, match=r"broken keeps ending:\n(.|\n)*no key"):
        supervise([child], seconds=30)


def test_options__defaults__are_loopback_and_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HAWSER_PORT", "HAWSER_LAB_HOME"):
        monkeypatch.delenv(name, raising=False)
    options = parse([])
    assert (options.url, options.host, options.keep_lab) == ("http://127.0.0.1:8800", "127.0.0.1", False)


def test_options__environment__chooses_port_and_lab(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HAWSER_PORT", "8811")
    monkeypatch.setenv("HAWSER_LAB_HOME", str(tmp_path))
    options = parse(["--seconds", "5"])
    assert (options.port, options.lab_home, options.seconds) == (8811, tmp_path, 5)


def test_fingerprint__source_changed__differs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(frontend, "ROOT", tmp_path)
    source = tmp_path / "frontend" / "src" / "main.tsx"
    source.parent.mkdir(parents=True)
    source.write_text("one")
    before = frontend.fingerprint()
    os.utime(source, (1, 1))
    assert frontend.fingerprint() == before
    source.write_text("two")
    assert frontend.fingerprint() != before


@pytest.mark.parametrize("arguments", [["--port"], ["--nonsense"]])
def test_demo__wrong_arguments__refused_before_anything_starts(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "deploy.demo", *arguments], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 2


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


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["--links", "201"], "'201' is no number of links from 1 to 200"),
        (["--links", "many"], "'many' is no number of links"),
        (["--links", "2", "--bare"], "--links needs a new console with a link"),
    ],
)
def test_options__links_that_cannot_be__refused_with_the_reason(
    capsys: pytest.CaptureFixture[str], arguments: list[str], reported: str
) -> None:
    with pytest.raises(SystemExit):
        parse(arguments)
    assert reported in capsys.readouterr().err


def test_options__links__all_but_the_first_are_stand_ins() -> None:
    assert (parse([]).links, parse(["--links", "20"]).links) == (1, 20)
