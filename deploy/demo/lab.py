"""Controls the lab through its command line only."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from deploy.services.process import PYTHON, ROOT, run


class LabCommand:
    """`python -m deploy.lab` for one lab home."""

    def __init__(self, home: Path) -> None:
        self.env = {"HAWSER_LAB_HOME": str(home)}

    def __call__(self, *arguments: str) -> str:
        """Runs one lab command; ServiceError with its output if it fails."""
        return run([PYTHON, "-m", "deploy.lab", *arguments], env=self.env)

    def unlink(self) -> dict[str, Any]:
        """Makes two bare clusters; how an administrator reaches them."""
        access: dict[str, Any] = json.loads(self("unlink"))
        return access

    def describe(self) -> dict[str, Any]:
        """Registration bodies for the console."""
        described: dict[str, Any] = json.loads(self("describe", "--json"))
        return described


def start_guard(home: Path, log: Path) -> subprocess.Popen[bytes]:
    """A process that stops the lab if the demo ends without doing so (SIGKILL, a lost terminal).

    It waits for its standard input to close; `release_guard` tells it that there is nothing to do.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        return subprocess.Popen(
            [PYTHON, "-m", "deploy.demo.guard", str(home)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def release_guard(guard: subprocess.Popen[bytes]) -> None:
    """Ends the guard without an action."""
    if guard.poll() is None:
        guard.communicate(b"released", timeout=30)
