"""Debian 12 as an image, from the mirror that this machine installs from."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from deploy.containers.engine import Engine
from deploy.containers.errors import ContainerError
from deploy.servers.debian import host_archive

NAME = "hawser-base/debian:12"
_SUITE = "bookworm"
_AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
_AUTHORITIES_INSIDE = "/etc/ssl/machine-authorities.crt"
_MAKE_S = 600


def make(engine: Engine, say: Callable[[str], None]) -> None:
    """Bootstrap a minimal Debian (half a minute, 220 MB) and import it."""
    say("making a Debian base image with debootstrap")
    with tempfile.TemporaryDirectory(dir=engine.log.parent) as folder:
        root = Path(folder) / "root"
        _run(["debootstrap", "--variant=minbase", "--include=ca-certificates", _SUITE, str(root), host_archive()])
        _bring_sources(root)
        archive = Path(folder) / "root.tar"
        _run(["tar", "--directory", str(root), "--numeric-owner", "--create", "--file", str(archive), "."])
        engine.docker("import", *_changes(), str(archive), NAME, limit_s=300)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_MAKE_S, check=False)
    if done.returncode:
        raise ContainerError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-2000:]}")


def _bring_sources(root: Path) -> None:
    """Packages come from where the machine's own come from, and its authorities vouch for that."""
    apt = Path("/etc/apt")
    for file in (apt / "sources.list", *(apt / "sources.list.d").glob("*"), *(apt / "apt.conf.d").glob("*proxy*")):
        if file.is_file():
            (root / file.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, root / file.relative_to("/"))
    shutil.copy2(_AUTHORITIES, root / _AUTHORITIES_INSIDE.lstrip("/"))
    shutil.rmtree(root / "var/cache/apt/archives", ignore_errors=True)


def _changes() -> list[str]:
    """Where pip and npm look for authorities and indexes, where this machine says so."""
    values = {"PIP_CERT": _AUTHORITIES_INSIDE, "NODE_EXTRA_CA_CERTS": _AUTHORITIES_INSIDE}
    values |= {name: os.environ[name] for name in ("PIP_INDEX_URL", "npm_config_registry") if name in os.environ}
    return [part for name, value in values.items() for part in ("--change", f"ENV {name}={value}")]
