"""A folder in memory for the servers of a test run, where a flush costs nothing.

The tests kill processes, never the machine: what a killed server wrote before stays, in memory as on a disk. On a disk
that several labs share, a server waits most of its time for flushes (a schema of the console: 56 s, in memory 11).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108 - the folder made in it is this account's alone
NEEDED_BYTES = 6 * 1024**3
"""What a lab of six nodes needs, with room for its load and for the console's own servers."""


@contextmanager
def servers_folder(memory: Path = MEMORY, needed_bytes: int = NEEDED_BYTES) -> Iterator[Path | None]:
    """A new folder in memory, removed at the end; None where there is not enough room for it."""
    remove_abandoned(memory)
    if not memory.is_dir() or shutil.disk_usage(memory).free < needed_bytes:
        yield None
        return
    folder = memory / f"{_prefix()}{os.getpid()}"
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned(memory: Path = MEMORY) -> None:
    """Removes the folders of runs whose process has ended."""
    for folder in memory.glob(f"{_prefix()}*"):
        pid = folder.name.removeprefix(_prefix())
        if pid.isdigit() and not Path("/proc", pid).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _prefix() -> str:
    return f"hawser-{os.getuid()}-"
