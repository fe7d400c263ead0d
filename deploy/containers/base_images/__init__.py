"""Base images where no registry can be reached: Debian from the machine's own mirror, under the names of the real ones.

They stand in for them when the project's files are tried. They are not for production: the real ones are newer and
kept by their makers.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from deploy.containers.base_images import debian
from deploy.containers.engine import Engine

_HERE = Path(__file__).parent
STAND_INS = {
    "python:3.11-slim-bookworm": "python",
    "node:24-bookworm-slim": "node",
    "mariadb:10.11": "mariadb",
    "redis:8.2-bookworm": "redis",
    "nginx:1.30": "nginx",
}
"""Name that the project's files use, and the file here that makes the image."""
_LABEL = "hawser.made-from"


def ensure(engine: Engine, say: Callable[[str], None]) -> None:
    """Make the images that are missing or were made from other files."""
    if not engine.has_image(debian.NAME):
        debian.make(engine, say)
    for name, kind in STAND_INS.items():
        if _made_from(engine, name) != _digest(kind):
            say(f"making a base image in place of {name}")
            _build(engine, name, kind)


def _digest(kind: str) -> str:
    """Of all files that an image is made from."""
    files = sorted(_HERE.glob(f"{kind}*"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def _made_from(engine: Engine, name: str) -> str:
    if not engine.has_image(name):
        return ""
    return engine.docker("image", "inspect", "--format", f'{{{{index .Config.Labels "{_LABEL}"}}}}', name)


def _build(engine: Engine, name: str, kind: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        context = Path(folder)
        for file in _HERE.glob(f"{kind}*"):
            shutil.copy2(file, context)
        if kind == "node":
            _add_node(context)
        engine.docker(
            "build", "--network", "host", "--tag", name, "--label", f"{_LABEL}={_digest(kind)}",
            "--file", str(context / f"{kind}.Dockerfile"), str(context), limit_s=600,
        )  # fmt: skip


def _add_node(context: Path) -> None:
    """The machine's node and npm, which have no package in Debian of the version wanted."""
    node = shutil.which("node")
    root = subprocess.run(["npm", "root", "--global"], capture_output=True, text=True, check=True).stdout.strip()
    shutil.copy2(os.path.realpath(node or "node"), context / "node")
    shutil.copytree(Path(root) / "npm", context / "npm", symlinks=True)
