"""Where the application may write: on both sites, or, as behind a proxy, on the one that the console names active.

The switches lie in a file, so that a running load obeys them at once and the next one begins with them.
"""

from __future__ import annotations

import http.client
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from deploy.lab.errors import LabError
from deploy.lab.layout import CLUSTER_NAMES, Paths

POLL_S = 0.5
ANSWER_LIMIT_S = 5.0


@dataclass(frozen=True)
class Switches:
    """What the load does beyond an application's plain writes on the active side."""

    both_sides: bool = True
    schema_changes: bool = True


@dataclass(frozen=True)
class Console:
    """Whom to ask which side is active; the token may be one that only reads."""

    url: str
    link_id: str
    token_file: str


def switches(paths: Paths) -> Switches:
    """The current switches; both are on where none was chosen."""
    return Switches(**_read(_switches_file(paths)))


def set_switches(paths: Paths, wanted: Switches) -> None:
    """Choose; LabError where the load is to follow a console and none is known."""
    if not wanted.both_sides and not _console_file(paths).exists():
        raise LabError("no console is known for the active side. Name one with `load follow`")
    _write(_switches_file(paths), asdict(wanted))


def follow(paths: Paths, console: Console) -> None:
    """From now on this console is asked."""
    _write(_console_file(paths), asdict(console))


def active_site(facts: Mapping[str, Mapping[str, object]]) -> str | None:
    """The site of the cluster that a link's representation names active; None if it is not one of the lab's."""
    name = facts["active_cluster"]["name"]
    return next((site for site, cluster in CLUSTER_NAMES.items() if cluster == name), None)


class Route:
    """Read by the writers, kept up to date by a thread of its own.

    A console that does not answer changes nothing, as a proxy keeps its last configuration; before
    its first answer no writer writes.
    """

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._switches = switches(paths)
        self._active: str | None = None

    @property
    def active(self) -> str | None:
        """The site that is written on; None while both are, or before the console's first answer."""
        return None if self._switches.both_sides else self._active

    def may_write(self, site: str) -> bool:
        """Whether the application writes on this site now."""
        return self._switches.both_sides or site == self._active

    def may_change_schema(self, site: str) -> bool:
        """Whether it changes tables there now."""
        return self._switches.schema_changes and self.may_write(site)

    def run(self, stop: threading.Event) -> None:
        """The thread."""
        while not stop.is_set():
            self.poll()
            stop.wait(POLL_S)

    def poll(self) -> None:
        """Read the switches and, where they say so, ask the console."""
        self._switches = switches(self._paths)
        if self._switches.both_sides:
            return
        try:
            self._active = active_site(_ask(Console(**_read(_console_file(self._paths)))))
        except (OSError, http.client.HTTPException, LabError, ValueError, KeyError, TypeError):
            return  # no answer, or none that names a side: the last one stands


def _ask(console: Console) -> dict[str, dict[str, object]]:
    """The link as the console's API tells it."""
    address = urlsplit(console.url)
    connection = http.client.HTTPConnection(address.hostname or "", address.port, timeout=ANSWER_LIMIT_S)
    token = Path(console.token_file).read_text().strip()
    try:
        headers = {"Authorization": f"Bearer {token}", "Accept": "application/json"}
        connection.request("GET", f"/api/v1/links/{console.link_id}", headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
    finally:
        connection.close()
    if answer.status != http.client.OK:
        raise LabError(f"the console returned {answer.status}")
    facts: dict[str, dict[str, object]] = json.loads(text)
    return facts


def _switches_file(paths: Paths) -> Path:
    return paths.home / "run" / "load-switches.json"


def _console_file(paths: Paths) -> Path:
    return paths.home / "run" / "console.json"


def _read(file: Path) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return stored


def _write(file: Path, content: dict[str, object]) -> None:
    draft = file.with_suffix(f".{os.getpid()}-{threading.get_ident()}")
    draft.write_text(json.dumps(content))
    draft.replace(file)
