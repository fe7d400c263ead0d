"""The load's own account of its writes: one append-only file a writer, outside all databases.

An *intent* line is written before COMMIT is sent, a *result* line after. An acknowledgement counts only once its line
is on disk (fsync). An intent without a result is in flight while its load runs, and indeterminate afterwards.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Outcome = Literal["acknowledged", "failed", "indeterminate", "in_flight"]
SUFFIX = ".ledger"


@dataclass(frozen=True)
class Part:
    """One row of a write in each table: `delta` is added to the balance of `account`."""

    account: str
    delta: int


@dataclass(frozen=True)
class Write:
    """One transaction of the load and how it ended."""

    write_id: str
    site: str
    parts: int
    outcome: Outcome
    reason: str = ""


class Ledger:
    """The file of one writer. Not shared between threads."""

    def __init__(self, folder: Path, writer: str, site: str) -> None:
        self._site = site
        path = folder / f"{writer}{SUFFIX}"
        self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_EXCL, 0o600)

    def intend(self, write_id: str, node: str, parts: list[Part]) -> None:
        """Note a write whose COMMIT is about to be sent."""
        self._line({"w": write_id, "s": self._site, "n": node, "p": len(parts)})

    def record_outcome(self, write_id: str, outcome: Outcome, reason: str = "") -> None:
        """Note how it ended; returns once that is on disk."""
        self._line({"w": write_id, "o": outcome, "r": reason})
        os.fsync(self._handle)

    def note(self, event: dict[str, str]) -> None:
        """Note something that is not a write (a schema change)."""
        self._line({"e": event})
        os.fsync(self._handle)

    def close(self) -> None:
        os.close(self._handle)

    def _line(self, fields: dict[str, object]) -> None:
        os.write(self._handle, json.dumps(fields, separators=(",", ":")).encode() + b"\n")


def parse(lines: Iterable[str], *, ended: bool) -> Iterator[Write]:
    """The writes of one ledger; `ended` tells whether its load is over. A torn last line is ignored."""
    intents: dict[str, tuple[str, int]] = {}
    results: dict[str, tuple[Outcome, str]] = {}
    for line in lines:
        if not line.endswith("\n"):
            break  # being written at this moment, or cut by a crash before it counted
        fields = json.loads(line)
        if "p" in fields:
            intents[fields["w"]] = (fields["s"], fields["p"])
        elif "o" in fields:
            results[fields["w"]] = (fields["o"], fields["r"])
    unsettled: Outcome = "indeterminate" if ended else "in_flight"
    for write_id, (site, parts) in intents.items():
        outcome, reason = results.get(write_id, (unsettled, "the load ended before the result was known"))
        yield Write(write_id, site, parts, outcome, reason)


def read_all(folder: Path, *, ended: bool) -> dict[str, Write]:
    """Every write in every ledger of a folder, by id."""
    found: dict[str, Write] = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with path.open() as file:
            found.update((write.write_id, write) for write in parse(file, ended=ended))
    return found
