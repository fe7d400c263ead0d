"""Starting, stopping and asking the load."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from deploy.lab.errors import LabError
from deploy.lab.layout import SITES, Paths
from deploy.lab.load import route
from deploy.lab.server import process

NAME = "load"
# A stopped load ends after its last statements: at worst a connection and a statement that run into their limits.
STOP_LIMIT = 60.0


@dataclass(frozen=True)
class Order:
    """What the load is to do. `writers` are per site, `rate` is transactions a second and writer.

    `ddl_shared` also changes a table that all writers use. On MariaDB 10.11.19 such a change sometimes stops the
    SQL thread of its own site's channel without any error (Last_SQL_Errno 0), so it is not part of the normal load.
    """

    writers: int = 2
    rate: float = 4.0
    seconds: float = 3600.0
    ddl_every: float = 30.0
    ddl_shared: bool = False
    sites: tuple[str, ...] = SITES

    def __post_init__(self) -> None:
        object.__setattr__(self, "sites", tuple(self.sites))  # a list when read from JSON
        if not self.sites or not set(self.sites) <= set(SITES):
            raise LabError(f"sites are {' and '.join(SITES)}, not {','.join(self.sites)}")
        if not (1 <= self.writers <= 32 and 0 < self.rate <= 1000 and 0 < self.seconds <= 86400):
            raise LabError("a load has 1 to 32 writers per site, up to 1000 transactions/s each, and ends within a day")


def report_file(paths: Paths) -> Path:
    """Where the running load tells its counters."""
    return paths.home / "run" / "load.json"


def start(paths: Paths, order: Order) -> int:
    """Start the load in the background; returns its pid."""
    if process.recorded(paths.pid(NAME)):
        raise LabError("a load is already running. Stop it first")
    report_file(paths).unlink(missing_ok=True)
    command = [sys.executable, "-m", "deploy.lab.load", str(paths.home), json.dumps(asdict(order))]
    root = Path(__file__).resolve().parents[3]
    pid = process.spawn(command, paths.pid(NAME), paths.log(NAME), cwd=root)
    process.wait_until(lambda: report_file(paths).exists() or not process.recorded(paths.pid(NAME)), 60, "the load")
    if not process.recorded(paths.pid(NAME)):
        raise LabError(f"the load ended at once. See {paths.log(NAME)}")
    return pid


def stop(paths: Paths) -> bool:
    """End the load after its writes in progress; False if none ran."""
    return process.terminate(paths.pid(NAME), STOP_LIMIT)


def is_running(paths: Paths) -> bool:
    return process.recorded(paths.pid(NAME)) is not None


def report(paths: Paths) -> dict[str, Any]:
    """Counters of the running or the last load, with sums and the switches."""
    counters = _counters(paths)
    sums = {
        key: sum(writer[key] for writer in _writers(counters))
        for key in ("acknowledged", "failed", "indeterminate", "per_second")
    }
    return {"running": is_running(paths), **counters, **sums, **asdict(route.switches(paths))}


def writes_on(paths: Paths, site: str) -> bool:
    """Whether a load runs that writes on this site now."""
    active = _counters(paths)["active"]
    return is_running(paths) and (route.switches(paths).both_sides or active == site)


def acknowledged(paths: Paths, site: str) -> int:
    """Writes that this site acknowledged to the running or the last load."""
    return sum(writer["acknowledged"] for writer in _writers(_counters(paths)) if writer["site"] == site)


def _counters(paths: Paths) -> dict[str, Any]:
    file = report_file(paths)
    counters: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {"writers": [], "active": None}
    return counters


def _writers(counters: dict[str, Any]) -> list[dict[str, Any]]:
    return [writer for writer in counters["writers"] if "-schema-" not in writer["name"]]
