"""A host with systemd, as a container: the console is installed on it as the documentation says."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.containers import base_images
from deploy.containers.engine import Engine
from deploy.services.process import ROOT
from tests.containers import release
from tests.support.waiting import wait_for

_IMAGE, _NAME = "hawser-tried/systemd", "hawser-systemd"
_PRIVILEGES = ("SYS_ADMIN", "SYS_PTRACE", "SYS_NICE")
"""What systemd needs to give each unit its own view of the machine."""
_HERE = Path(__file__).parent


class SystemdHost:
    """The running host."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def run(self, *command: str, limit_s: float = 120, text: str | None = None) -> str:
        """Standard output of a command on the host; ContainerError if it fails."""
        return self.engine.docker("exec", "--interactive", _NAME, *command, limit_s=limit_s, text=text)

    def is_up(self) -> bool:
        """Whether systemd has started everything; its bus is not there from the first moment on."""
        return self.run("sh", "-c", "systemctl is-system-running 2>/dev/null || true") in ("running", "degraded")

    def property(self, unit: str, name: str) -> str:
        """What systemd says of a unit."""
        return self.run("systemctl", "show", "--property", name, "--value", unit)


@contextmanager
def running(engine: Engine) -> Iterator[SystemdHost]:
    """A fresh host, the console installed and started; removed at the end."""
    base_images.ensure(engine, print)
    _build(engine)
    privileges = [part for privilege in _PRIVILEGES for part in ("--cap-add", privilege)]
    engine.docker(
        "run", "--detach", "--name", _NAME, *privileges, "--security-opt", "seccomp=unconfined", "--tmpfs", "/run",
        "--tmpfs", "/tmp", "--volume", "/sys/fs/cgroup:/sys/fs/cgroup", "--ulimit", "nofile=20000:20000", _IMAGE,
    )  # fmt: skip
    try:
        host = SystemdHost(engine)
        wait_for(host.is_up, "systemd to be up", pause_s=0.3)
        _install(engine, host)
        yield host
    finally:
        engine.docker("rm", "--force", "--volumes", _NAME)


def _build(engine: Engine) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy2(ROOT / "requirements.txt", folder)
        file = _HERE / "systemd.Dockerfile"
        engine.docker("build", "--network", "host", "--tag", _IMAGE, "--file", str(file), folder, limit_s=600)


def _install(engine: Engine, host: SystemdHost) -> None:
    """Unpack a release into /opt/hawser, then go by the documentation."""
    with tempfile.TemporaryDirectory() as folder:
        archive = release.make(engine, Path(folder))
        engine.docker("cp", str(archive), f"{_NAME}:/opt/hawser.tar.gz")
    engine.docker("cp", str(_HERE / "install-under-systemd.sh"), f"{_NAME}:/opt/install.sh")
    host.run(
        "tar", "xzf", "/opt/hawser.tar.gz", "--strip-components", "1", "--no-same-owner", "--directory", "/opt/hawser"
    )
    host.run("bash", "/opt/install.sh", limit_s=300)
