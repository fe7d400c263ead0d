"""Where figures come from: which commit, and when."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime
from typing import Any

from deploy.services.process import ROOT


def provenance() -> dict[str, Any]:
    """The commit that runs and whether anything was changed on top of it; asked at the beginning of a run."""
    return {
        "commit": _git("rev-parse", "HEAD").strip(),
        "dirty": bool(_git("status", "--porcelain", "--untracked-files=no")),
    }


def times(began: datetime, ended: datetime | None = None) -> dict[str, Any]:
    """When it began and how long it took, up to now where it has not ended."""
    took = (ended or datetime.now(UTC)) - began
    return {"at": f"{began:%Y-%m-%d %H:%M} UTC", "minutes": round(took.total_seconds() / 60)}


def _git(*arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=30).stdout
