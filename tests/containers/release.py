"""A release of this tree, with the pages of the image that was built from it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from deploy.containers import images
from deploy.containers.engine import Engine
from deploy.release.bases import named
from deploy.release.build import TOP, build_release
from deploy.release.tree import read_tree


def make(engine: Engine, folder: Path) -> Path:
    """The archive; `folder` must exist and be empty."""
    pages = folder / "pages"
    container = engine.docker("create", images.CONSOLE)
    engine.docker("cp", f"{container}:/app/frontend/dist", str(pages))
    engine.docker("rm", container)
    build_release(read_tree(), pages, folder / "dist", bases=named())
    return folder / "dist" / f"{TOP}.tar.gz"


def unpack(archive: Path, folder: Path) -> Path:
    """The tree in the archive."""
    folder.mkdir()
    subprocess.run(["tar", "xzf", archive, "--strip-components", "1", "--directory", folder], check=True, timeout=60)
    return folder
