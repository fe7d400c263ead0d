"""The console's web process as it runs in production: uvicorn, on loopback, with a database of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from deploy.services.net import free_port
from deploy.services.process import wait_until

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class WebProcess:
    """Where it listens, which process it is, where its temporary files would be."""

    port: int
    pid: int
    temporary: Path
    environment: dict[str, str]

    def manage(self, *arguments: str) -> str:
        """A management command over the same database."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True)
        return done.stdout


@contextmanager
def web_process(home: Path, **settings: str) -> Iterator[WebProcess]:
    """Running in the block; ended by SIGTERM behind it."""
    temporary = home / "tmp"
    temporary.mkdir()
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("HAWSER_") and k != "DJANGO_SETTINGS_MODULE"},
        "HAWSER_DEBUG": "1",
        "HAWSER_DATABASE_URL": f"sqlite:///{home / 'console.sqlite3'}",
        "HAWSER_REDIS_URL": "redis://127.0.0.1:1/0",
        "TMPDIR": str(temporary),
        **settings,
    }
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "backend.config.asgi:application", "--port", str(port)]
    command += ["--http", "backend.config.bounded_http:BoundedProtocol"]
    with (home / "web.log").open("wb") as log:
        subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=environment, check=True)
        child = subprocess.Popen(
            [*command, "--lifespan", "on", "--timeout-graceful-shutdown", "3"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            assert wait_until(lambda: _answers(port), 30), (home / "web.log").read_text()
            yield WebProcess(port, child.pid, temporary, environment)
        finally:
            child.terminate()
            try:
                child.wait(60)
            finally:
                child.kill()


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=1) as answer:
            return answer.status == 200
    except (URLError, OSError):
        return False
