"""Where builds are kept."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.servers.errors import ServerError


def home() -> Path:
    """`HAWSER_SERVERS`, or `.cache/servers` under the repository root."""
    given = os.environ.get("HAWSER_SERVERS")
    return Path(given).resolve() if given else Path(__file__).resolve().parents[2] / ".cache" / "servers"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One process at a time fetches into the folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".lock").open("w")
    except OSError as error:
        raise ServerError(f"{folder} cannot be written ({error.strerror}). Choose another HAWSER_SERVERS") from error
    with lock as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
