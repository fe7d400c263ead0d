"""Stages that run in parallel, in a process of their own: on two cores a waiting lane leaves room for another one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from deploy.services.process import PYTHON, ROOT, die_with_parent, take_share
from deploy.testrun.counts import Counts
from deploy.testrun.workspace import Workspace


@dataclass(frozen=True)
class Lane:
    """Stages of one process, in this order; one in the background takes what the others leave of the processors."""

    names: tuple[str, ...]
    is_in_background: bool = False


LANES = {
    "build": (
        Lane(("backend-mariadb",)),
        # What only computes does so whenever the others wait: for a browser, for servers.
        Lane(
            ("lint", "schema", "core", "deploy", "catalogue", "frontend", "backend-sqlite", "containers"),
            is_in_background=True,
        ),
    ),
    "galera": (Lane(("variants",)), Lane(("faults", "sites"))),
}
"""Lanes that begin with a stage. They end before the next ones start, and before a stage that needs the machine alone;
one in the background goes on beside those, too: it takes nothing that another wants."""
ALONE = frozenset({"e2e"})
ASIDE = frozenset(name for lanes in LANES.values() for lane in lanes for name in lane.names)
LEAST_SHARE = 19
LIMIT_S = 2700.0
Results = dict[str, tuple[float, Counts]]


class ParallelLane:
    """A further lane; `collect` waits for it and prints its output."""

    def __init__(self, workspace: Workspace, lane: Lane) -> None:
        self.is_in_background = lane.is_in_background
        self._name = "+".join(lane.names)
        self._log = workspace.log(self._name)
        self._counts = workspace.report(f"{self._name}.json")
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [PYTHON, "-m", "deploy.testrun", *lane.names, "--counts", str(self._counts)],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=lane.is_in_background,
                preexec_fn=partial(_prepare, lane),  # noqa: PLW1509 - see die_with_parent
            )

    def collect(self) -> Results:
        """Times and counts by stage; a lane that ended with an error is a failure."""
        try:
            self._process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            self.stop()
        print(self._log.read_text("utf-8", "replace"), flush=True)
        if not self._counts.exists():
            broken = f"{self._name}: ended with {self._process.returncode}"
            return {self._name: (0.0, Counts(failed=1, failures=(broken,)))}
        return load(self._counts)

    def stop(self) -> None:
        """Ends it; it stops its own servers."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(60)


def _prepare(lane: Lane) -> None:
    die_with_parent(signal.SIGTERM)
    if lane.is_in_background:
        os.nice(LEAST_SHARE)
        take_share(LEAST_SHARE)


def save(path: Path, results: Results) -> None:
    """Stores results for the other lane."""
    path.write_text(json.dumps({name: [seconds, asdict(counts)] for name, (seconds, counts) in results.items()}))


def load(path: Path) -> Results:
    """The results that `save` stored."""
    found: Results = {}
    for name, (seconds, fields) in json.loads(path.read_text()).items():
        slow = tuple((float(took), str(test)) for took, test in fields.pop("slow"))
        found[name] = (seconds, Counts(**fields | {"slow": slow, "failures": tuple(fields["failures"])}))
    return found
