"""A release is unpacked into an empty folder, and the console runs from it, without Node and without the repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy.demo import frontend
from deploy.services.net import LOOPBACK, free_port, port_open
from deploy.services.process import PYTHON, run, wait_until
from tests.deploy import units
from tests.deploy.releases import Release, unpack

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
_LIMIT_S = 600
_ASSET = re.compile(r'(?:src|href)="(/static/[^"]+)"')


class Installed:
    """The unpacked archive with a Python, in an environment of its own."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder, self.python = folder, python
        self.database = folder.parent / "console.sqlite3"

    @property
    def env(self) -> Mapping[str, str]:
        """No Node in PATH, nothing of the repository, and no setting but these."""
        return {
            "PATH": f"{Path(self.python).parent}:/nonexistent",
            "HAWSER_DEBUG": "1",
            "HAWSER_DATABASE_URL": f"sqlite:///{self.database}",
            "HAWSER_REDIS_URL": f"redis://{LOOPBACK}:1/0",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def manage(self, *arguments: str) -> str:
        """Output of a command of the console."""
        command = [self.python, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=_LIMIT_S, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def web(self) -> Iterator[str]:
        """The web process as its unit starts it; its address."""
        port = free_port()
        unit = units.command("hawser-web.service")
        command = [self.python, *unit[1:]]
        command[command.index("--port") + 1] = str(port)
        with (self.folder.parent / "web.log").open("wb") as log:
            process = subprocess.Popen(command, cwd=self.folder, env=self.env, stdout=log, stderr=log)
        try:
            assert wait_until(lambda: port_open(port) or process.poll() is not None, 120)
            assert process.poll() is None, (self.folder.parent / "web.log").read_text()
            yield f"http://{LOOPBACK}:{port}"
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture
def folder(release: Release, tmp_path: Path) -> Path:
    """The archive, unpacked."""
    return unpack(release.files, tmp_path)


def read(url: str) -> bytes:
    """The body of a 200."""
    with urllib.request.urlopen(url, timeout=30) as response:  # noqa: S310 - loopback only
        assert response.status == 200
        body: bytes = response.read()
        return body


def walk(installed: Installed) -> None:
    """Check, migrate, start, and read the first page and what it loads."""
    assert shutil.which("node", path=installed.env["PATH"]) is None
    installed.manage("check", "--fail-level", "ERROR")
    installed.manage("migrate", "--no-input")
    applied = installed.manage("showmigrations", "--no-color")
    for app, newest in json.loads((installed.folder / "RELEASE.json").read_text())["migrations"].items():
        assert re.search(rf"^{app}\n(?: .*\n)* \[X\] {newest}", applied, re.MULTILINE), app
    with installed.web() as address:
        assert read(f"{address}/healthz") == b'{"status":"ok"}'
        page = read(f"{address}/").decode()
        assets = set(_ASSET.findall(page))
        assert {Path(asset).suffix for asset in assets} >= {".js", ".css"}
        for asset in assets:
            assert (
                read(address + asset)
                == (installed.folder / "frontend/dist" / asset.removeprefix("/static/")).read_bytes()
            )


def test_archive__unpacked__runs_without_node_and_without_the_repository(folder: Path) -> None:
    installed = Installed(folder, PYTHON)
    where = installed.manage("shell", "--no-imports", "-c", "import backend; print(backend.__file__)")
    assert Path(where.strip()) == folder / "backend/__init__.py"
    walk(installed)


@pytest.mark.whole
@pytest.mark.skipif(not IS_WHOLE, reason="HAWSER_WHOLE=1 only: it installs every package from the registry")
def test_archive__with_its_own_packages_installed__runs(folder: Path) -> None:
    base = Path(sys.base_prefix) / "bin/python3.11"
    subprocess.run([str(base), "-m", "venv", str(folder / ".venv")], check=True, timeout=_LIMIT_S)
    python = folder / ".venv/bin/python"
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--require-hashes",
        "-r",
        str(folder / "requirements.txt"),
    ]
    subprocess.run(install, check=True, timeout=_LIMIT_S)
    walk(Installed(folder, str(python)))


@pytest.mark.whole
@pytest.mark.skipif(not IS_WHOLE, reason="HAWSER_WHOLE=1 only: it builds the pages again")
def test_pages__built_again__have_the_same_bytes(release: Release, tmp_path: Path) -> None:
    run(["npm", "run", "--silent", "build", "--", "--outDir", str(tmp_path / "dist")])
    built = {path.relative_to(tmp_path / "dist"): path for path in (tmp_path / "dist").rglob("*") if path.is_file()}
    shipped = {path.relative_to(release.pages) for path in release.pages.rglob("*") if path.is_file()}
    assert set(built) == shipped - {Path(frontend.STAMP.name)}
    assert not [name for name, path in built.items() if path.read_bytes() != (release.pages / name).read_bytes()]
