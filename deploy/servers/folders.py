"""Where builds are kept."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def home() -> Path:
    """`HAWSER_SERVERS`, or `.cache/servers` under the repository root."""
    given = os.environ.get("HAWSER_SERVERS")
    return Path(given).resolve() if given else Path(__file__).resolve().parents[2] / ".cache" / "servers"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One process at a time fetches into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
