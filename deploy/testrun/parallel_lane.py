"""Stages that run in parallel, in a process of their own: on two cores a waiting lane leaves room for another one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from deploy.services.process import PYTHON, ROOT, die_with_parent, take_share
from deploy.testrun.counts import Counts
from deploy.testrun.workspace import SERVERS, Workspace

FIRST = ("build",)
"""What others need: the built pages."""
QUEUE = (
    "containers",
    "galera",
    "backend-mariadb",
    "sites",
    "single-servers",
    "variants",
    "ui",
    "api-mariadb",
    "faults",
    "ha",
)
"""Stages that mostly wait, for servers or a browser, the longest first; SLOTS of them run at once.

Containers come first, before a browser is started: for each of their interfaces it breaks off what it is loading. In
the background they did not come up in time on a slow host.
"""
SLOTS = 3
BACKGROUND = (
    ("lint", "schema", "deploy", "catalogue"),
    ("core", "frontend", "backend-sqlite"),
)
"""What only computes does so whenever the others wait, in two processes; it takes nothing that another wants.

Two, because what is left of it when the others have ended has both cores.
"""
ON_DISK = "containers"
"""Images would fill the memory that the servers of the other stages write to."""
LAST = ("e2e",)
"""What needs the machine alone, but for the background."""
LEAST_SHARE = 19
LIMIT_S = 2700.0
Results = dict[str, tuple[float, Counts]]


class ParallelLane:
    """Stages of one process, in this order; `collect` waits for it and prints its output."""

    def __init__(self, workspace: Workspace, names: Sequence[str], *, is_in_background: bool = False) -> None:
        self._name = "+".join(names)
        self._log = workspace.log(self._name)
        self._counts = workspace.report(f"{self._name}.json")
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [PYTHON, "-m", "deploy.testrun", *names, "--counts", str(self._counts)],
                cwd=ROOT,
                env=os.environ | _servers_env(workspace, names, is_in_background),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=is_in_background,
                preexec_fn=partial(_prepare, is_in_background),  # noqa: PLW1509 - see die_with_parent
            )

    @property
    def has_ended(self) -> bool:
        """Whether `collect` would return at once."""
        return self._process.poll() is not None

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


def _servers_env(workspace: Workspace, names: Sequence[str], is_in_background: bool) -> dict[str, str]:
    """What a stage's servers write goes where the run's do."""
    if is_in_background or ON_DISK in names or workspace.servers == workspace.folder:
        return {}
    return {SERVERS: str(workspace.servers), "TMPDIR": str(workspace.servers)}


def _prepare(is_in_background: bool) -> None:
    die_with_parent(signal.SIGTERM)
    if is_in_background:
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
