"""The lab, which tells the judge of channels whatever becomes of a node, whatever caused it."""

from __future__ import annotations

import time
from pathlib import Path

from deploy.lab.api import Lab
from tests.faults.judges.channels import Event


class RecordingLab(Lab):
    """Each end and each return of a node is noted."""

    def __init__(self, home: Path, net: str) -> None:
        super().__init__(home, net)
        self.events: list[Event] = []

    def kill(self, name: str) -> None:
        """SIGKILL."""
        super().kill(name)
        self._record(name, "down")

    def stop(self, name: str) -> None:
        """Clean shutdown."""
        super().stop(name)
        self._record(name, "down")

    def freeze(self, name: str) -> None:
        """SIGSTOP."""
        super().freeze(name)
        self._record(name, "down")

    def thaw(self, name: str) -> None:
        """SIGCONT: what it did before, it goes on to do."""
        super().thaw(name)
        self._record(name, "up")

    def start(self, name: str, *, bootstrap: bool = False, wait: bool = True) -> None:
        """A server starts its channel automatically, if it still has one."""
        super().start(name, bootstrap=bootstrap, wait=wait)
        has_lost_it = wait and not self.sql(name, "SHOW ALL SLAVES STATUS")
        self._record(name, "forgot" if has_lost_it else "up")

    def _record(self, name: str, what: str) -> None:
        self.events.append(Event(time.time(), name, what))
