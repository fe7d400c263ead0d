"""A Docker engine of our own: its socket, images and networks are apart from those of an engine of the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy.containers import host_network, plugins
from deploy.containers.errors import ContainerError, NoEngineError
from deploy.containers.folders import home
from deploy.services.process import Child, wait_until

OTHER_ENGINE = Path("/var/run/docker.sock")
PROGRAMS = {"dockerd": "docker.io", "docker": "docker.io", "debootstrap": "debootstrap", "iptables": "iptables"}
BRIDGE, POOL = "10.199.255.1/24", "10.199.0.0/17"
"""Of the bridge that every engine has, and of the networks of compose: away from the engine's own 172.17 and on."""
_START_S = 60


@dataclass(frozen=True)
class Engine:
    """A running engine. Commands raise ContainerError with the end of their output."""

    socket: Path
    log: Path

    @property
    def env(self) -> dict[str, str]:
        """What `docker` and `docker compose` need to find this engine and no other one."""
        return {
            **os.environ,
            "DOCKER_HOST": f"unix://{self.socket}",
            "DOCKER_CONFIG": str(_client()),
            "BUILDKIT_PROGRESS": "plain",
        }

    def docker(self, *arguments: str, limit_s: float = 120, text: str | None = None) -> str:
        """Standard output of one `docker` command."""
        done = subprocess.run(
            ["docker", *arguments],
            env=self.env,
            input=text,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
        if done.returncode:
            end = (done.stdout + done.stderr)[-3000:].strip()
            raise ContainerError(f"docker {' '.join(arguments[:3])} failed:\n{end}")
        return done.stdout.strip()

    def has_image(self, name: str) -> bool:
        """Whether the engine holds an image of that name."""
        return bool(self.docker("image", "ls", "--quiet", name))


def why_not() -> str:
    """Why no engine can be started here, or an empty text."""
    missing = sorted({package for program, package in PROGRAMS.items() if shutil.which(program) is None})
    if missing:
        return f"the Debian packages {', '.join(missing)} are missing"
    if os.geteuid() != 0:
        return "an engine is started by root"
    if OTHER_ENGINE.exists():
        return f"an engine of this machine has {OTHER_ENGINE}: two would change each other's firewall rules"
    return ""


@contextmanager
def running() -> Iterator[Engine]:
    """An engine for the length of a block; its images stay for the next one."""
    reason = why_not()
    if reason:
        raise NoEngineError(reason)
    plugins.ensure(_client())
    work = Path(tempfile.mkdtemp(prefix="hawser-engine-"))
    child = _daemon(work)
    engine = Engine(work / "socket", child.log)
    with host_network.restored():
        try:
            if not wait_until(engine.socket.exists, _START_S, child.start()):
                raise NoEngineError(f"dockerd did not come up:\n{child.tail()}")
            engine.docker("version")
            yield engine
        finally:
            child.stop()
            shutil.rmtree(work, ignore_errors=True)


def _client() -> Path:
    return home() / "client"


def _daemon(work: Path) -> Child:
    """Few open files and processes for containers: a sandbox may forbid to raise what it has."""
    command = [
        "dockerd", "--host", f"unix://{work / 'socket'}", "--data-root", str(home() / "engine"),
        "--exec-root", str(work / "exec"), "--pidfile", str(work / "pid"), "--bip", BRIDGE,
        "--default-address-pool", f"base={POOL},size=24",
        "--default-ulimit", "nofile=1024:1024", "--default-ulimit", "nproc=1024:1024",
    ]  # fmt: skip
    return Child("dockerd", command, home() / "dockerd.log", grace_s=60)
