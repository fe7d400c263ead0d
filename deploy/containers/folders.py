"""Where the engine keeps its images, and what it is called."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """`HAWSER_CONTAINERS`, or `.cache/containers` under the repository root."""
    given = os.environ.get("HAWSER_CONTAINERS")
    return Path(given).resolve() if given else Path(__file__).resolve().parents[2] / ".cache" / "containers"
