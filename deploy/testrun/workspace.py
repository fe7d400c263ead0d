"""The folder in which a test run stores its files."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from deploy.services.process import ROOT

# Unix socket addresses hold 107 bytes; the lab refuses a longer home.
LONGEST_LAB_HOME = 85
HOME, SERVERS = "HAWSER_TESTRUN_HOME", "HAWSER_TESTRUN_SERVERS"


@dataclass(frozen=True)
class Workspace:
    """One run's folder."""

    folder: Path
    servers: Path
    """Where servers have their data: the same, or a folder in memory."""
    is_whole: bool = False
    """Whether each stage runs all that it has, or without that only what a change needs."""

    def env(self, servers: Path) -> dict[str, str]:
        """The environment of a process that runs a stage and has its servers there."""
        own = {HOME: str(self.folder), SERVERS: str(servers)}
        return os.environ | own | ({} if servers == self.folder else {"TMPDIR": str(servers)})

    def report(self, name: str) -> Path:
        """Path of a stage's report; a report of an earlier run is removed."""
        path = self.folder / "reports" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        return path

    @property
    def evidence(self) -> Path:
        """Where runs write what they showed; kept until a run writes it again."""
        path = self.folder / "evidence"
        path.mkdir(parents=True, exist_ok=True)
        return path

    def log(self, name: str) -> Path:
        """Path of a server's log."""
        return self.folder / "logs" / f"{name}.log"

    def lab_home(self, name: str) -> Path:
        """A home short enough for the lab's sockets."""
        home = self.servers / name
        if len(str(home)) <= LONGEST_LAB_HOME:
            return home
        return Path(tempfile.gettempdir()) / f"hawser-{os.getuid()}-{name}"


def keep_compiled(workspace: Workspace) -> None:
    """Every Python program from here on finds the modules compiled; a run starts some thousand of them.

    An environment that forbids to write compiled files means the working tree, which stays clean.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = str(workspace.folder / "compiled")


def default_workspace(*, is_whole: bool = False, servers: Path | None = None) -> Workspace:
    """`.testrun` in the repository; HAWSER_TESTRUN_HOME chooses another, HAWSER_TESTRUN_SERVERS one for the servers."""
    given = os.environ.get(HOME)
    folder = Path(given).resolve() if given else ROOT / ".testrun"
    (folder / "logs").mkdir(parents=True, exist_ok=True)
    return Workspace(folder, Path(os.environ.get(SERVERS, servers or folder)), is_whole)
