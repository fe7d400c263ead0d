"""A profile of docker-compose.yml, up under a name and a port of its own."""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.containers.engine import Engine
from deploy.containers.errors import ContainerError
from deploy.services.process import ROOT

_FILES = ("docker-compose.yml", ".env")
_UP_S, _DOWN_S = 300, 400


@dataclass(frozen=True)
class Stack:
    """One stack. `folder` holds the compose file and the secrets, `env` what an operator sets in `.env`."""

    engine: Engine
    folder: Path
    env: Mapping[str, str]
    project: str
    """In the names of its containers, networks and volumes: several stacks do not know each other."""
    profile: str = "production"

    def command(self, *arguments: str) -> list[str]:
        """A `docker compose` command for this stack; it is run in `folder`."""
        return ["docker", "compose", "--profile", self.profile, "--project-name", self.project, *arguments]

    def compose(self, *arguments: str, limit_s: float = 120, text: str | None = None) -> str:
        """Standard output of one `docker compose` command; ContainerError with the end of its output."""
        done = subprocess.run(
            self.command(*arguments), cwd=self.folder, env={**self.engine.env, **self.env}, input=text,
            capture_output=True, text=True, timeout=limit_s, check=False,
        )  # fmt: skip
        if done.returncode:
            raise ContainerError(f"docker compose {arguments[0]} failed:\n{(done.stdout + done.stderr)[-4000:]}")
        return done.stdout

    def up(self, *services: str) -> None:
        """Start what is not up, or what changed, and wait until all of it is healthy."""
        self.compose("up", "--detach", "--no-build", "--wait", "--pull", "never", *services, limit_s=_UP_S)

    def scale(self, service: str, containers: int) -> None:
        """Run so many containers of a service, without a change to those that run."""
        options = ("--detach", "--no-build", "--no-recreate", "--pull", "never", "--no-deps")
        self.compose("up", *options, "--scale", f"{service}={containers}", service, limit_s=_UP_S)

    def down(self) -> None:
        """Stop the stack and remove its volumes."""
        self.compose("down", "--volumes", "--timeout", "20", limit_s=_DOWN_S)

    def inspect(self, service: str) -> dict[str, Any]:
        """What the engine knows of a service's container."""
        identity = self.compose("ps", "--all", "--quiet", service).strip()
        found: list[dict[str, Any]] = json.loads(self.engine.docker("inspect", identity))
        return found[0]

    def manage(self, *arguments: str, text: str | None = None, service: str = "web") -> str:
        """Output of a `manage.py` command in a container of the console."""
        return self.compose("exec", "--no-TTY", service, "python", "manage.py", *arguments, text=text)


def prepare(engine: Engine, folder: Path, env: Mapping[str, str], profile: str = "production") -> Stack:
    """A stack's folder with the project's files and new secrets. Nothing is started."""
    for name in _FILES:
        shutil.copy2(ROOT / name, folder / name)
    shutil.copytree(ROOT / "deploy/compose", folder / "deploy/compose", ignore=shutil.ignore_patterns("secrets"))
    (folder / "deploy/compose/secrets").mkdir()
    subprocess.run([folder / "deploy/compose/make-secrets.sh"], check=True, capture_output=True, timeout=60)
    return Stack(engine, folder, env, f"hawser-{secrets.token_hex(4)}", profile)
