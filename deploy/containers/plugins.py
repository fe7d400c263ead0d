"""`docker compose` of version 2 and `docker buildx`, which Debian 12 does not have: of the next release, by apt."""

from __future__ import annotations

import shutil
from pathlib import Path

from deploy.servers import debian

_SUITE = "trixie"
_PACKAGES = ("docker-compose", "docker-buildx")
_INSIDE = "usr/libexec/docker/cli-plugins"


def ensure(client: Path) -> None:
    """Put both programs where the client looks for them; they are fetched once (26 MB)."""
    folder = client / "cli-plugins"
    if all((folder / name).exists() for name in _PACKAGES):
        return
    work, root = client / "work", client / "root"
    for each in (work, root):
        shutil.rmtree(each, ignore_errors=True)
        each.mkdir(parents=True)
    debian.fetch(_SUITE, _PACKAGES, work, root)
    shutil.copytree(root / _INSIDE, folder, dirs_exist_ok=True)
    for each in (work, root):
        shutil.rmtree(each)
