"""Builds the console's pages when their sources are newer than the build."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from deploy.services.process import ROOT, run

DIST = ROOT / "frontend" / "dist"
STAMP = DIST / ".built-from"
SOURCES = (
    "frontend/src",
    "frontend/public",
    "frontend/index.html",
    "frontend/code-splitting.ts",
    "frontend/first-page.ts",
    "vite.config.ts",
    "package-lock.json",
)


def _files() -> list[Path]:
    found: list[Path] = []
    for source in SOURCES:
        path = ROOT / source
        found += sorted(path.rglob("*")) if path.is_dir() else [path]
    return [path for path in found if path.is_file()]


def fingerprint() -> str:
    """Changes with the content of the build's sources; file dates do not matter, so a new clone is not stale."""
    digest = hashlib.sha256()
    for path in _files():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def build() -> None:
    """Builds in another folder and swaps: a running console keeps its pages meanwhile."""
    with locked():
        _build(fingerprint())


def _build(wanted: str) -> None:
    fresh, old = DIST.with_name("dist-next"), DIST.with_name("dist-old")
    run(["npm", "run", "--silent", "build", "--", "--outDir", str(fresh)])
    # Sources that changed meanwhile make this build stale again.
    (fresh / STAMP.name).write_text(wanted)
    shutil.rmtree(old, ignore_errors=True)
    if DIST.exists():
        DIST.rename(old)
    fresh.rename(DIST)
    shutil.rmtree(old, ignore_errors=True)


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """One build at a time in this folder."""
    cache = ROOT / ".cache"
    cache.mkdir(exist_ok=True)
    with (cache / "build.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build_if_stale() -> bool:
    """Builds if needed; returns whether it did. A container image has the build and no sources."""
    if not (ROOT / "frontend" / "src").is_dir():
        return False
    with locked():
        wanted = fingerprint()
        if STAMP.exists() and STAMP.read_text() == wanted:
            return False
        _build(wanted)
    return True


if __name__ == "__main__":
    build()
