"""The disk of the console's hosts is full, or has no inode left: what runs goes on, and what is started comes up."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from deploy.services.process import run
from tests.faults.stack import filled
from tests.galera.console import describe
from tests.ha.client import RetryingConsole
from tests.ha.moves import started
from tests.ha.stack import HaStack
from tests.ha.targets import parts
from tests.support.waiting import wait_for

INODES = 200
STARTED_AGAIN = ("web-1", "worker-1", "monitor-1", "worker-2", "monitor-2")


@contextlib.contextmanager
def without_inodes(folder: Path) -> Iterator[None]:
    """Not another file fits for the length of a block."""
    run(["mount", "-o", f"remount,nr_inodes={INODES}", str(folder)])
    inside = folder / "inodes"
    inside.mkdir()
    made: list[Path] = []
    with contextlib.suppress(OSError):
        while True:
            made.append(inside / str(len(made)))
            made[-1].touch()
    try:
        yield
    finally:
        for path in made:
            path.unlink(missing_ok=True)
        inside.rmdir()


@pytest.mark.whole
@pytest.mark.timeout(600)
@pytest.mark.parametrize("full", [filled, without_inodes])
def test_host__disk_full__a_move_is_verified_by_parts_that_were_started_meanwhile(
    whole: HaStack, console: RetryingConsole, full: type[AbstractContextManager[None]]
) -> None:
    with full(whole.home / "logs"):
        for part in parts(whole, *STARTED_AGAIN):
            part.kill()
            part.start()
        wait_for(whole.apis[0].ready, "all parts to be ready", 90, pause_s=0.5)
        moved = console.wait_run(started(console), 120)
        assert moved["state"] == "succeeded", describe(moved)
        assert moved["verification"]["verdict"] == "verified", moved["verification"]
    whole.judge()
