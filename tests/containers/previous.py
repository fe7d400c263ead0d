"""The newest earlier tree with another schema: what an installation is upgraded from."""

from __future__ import annotations

import subprocess
from pathlib import Path

from deploy.services.process import ROOT


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


def commit() -> str:
    """The commit before the one that brought the newest migration; empty where the history does not reach that far."""
    newest = _git("log", "-1", "--diff-filter=A", "--format=%H", "--", "backend/*/migrations/0*.py")
    parents = _git("log", "-1", "--format=%P", newest).split() if newest else []
    return parents[0] if parents else ""


def unpack(of: str, folder: Path) -> Path:
    """That commit's tree in a folder."""
    folder.mkdir()
    archive = folder.with_suffix(".tar")
    _git("archive", "--format=tar", f"--output={archive}", of)
    subprocess.run(["tar", "--extract", "--directory", str(folder), "--file", str(archive)], check=True, timeout=60)
    archive.unlink()
    return folder
