"""Where a measurement keeps its files, on which addresses its labs stand, and how long it may take."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from deploy.services.process import ROOT

DEFAULT_NET = "127.63"


@dataclass(frozen=True)
class Workspace:
    """One run's folders and its end: `until` is a monotonic time past which nothing new is begun."""

    folder: Path
    lab_home: Path
    net: str
    until: float

    @property
    def results(self) -> Path:
        """The figures, as JSON."""
        return self.folder / "results.json"

    @property
    def page(self) -> Path:
        """The figures, as a page for people."""
        return ROOT / "docs/evidence/benchmarks.md"

    def left_s(self) -> float:
        """Seconds until nothing new may be begun."""
        return self.until - time.monotonic()


def default_workspace(limit_s: float) -> Workspace:
    """`.bench` in the repository; HAWSER_LAB_HOME and HAWSER_LAB_NET choose another lab."""
    folder = ROOT / ".bench"
    folder.mkdir(exist_ok=True)
    (folder / ".gitignore").write_text("*\n")
    home = os.environ.get("HAWSER_LAB_HOME")
    lab_home = Path(home).resolve() if home else folder / "lab"
    net = os.environ.get("HAWSER_LAB_NET", DEFAULT_NET)
    return Workspace(folder, lab_home, net, time.monotonic() + limit_s)


def empty_folder(folder: Path) -> Path:
    """An empty folder at that path."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder
