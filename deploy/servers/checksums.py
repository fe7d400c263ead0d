"""Compares what was fetched with what was promised."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from deploy.servers.errors import ServerError


@dataclass(frozen=True)
class Download:
    """One file as the index promises it."""

    file: str
    size: int
    sha256: str


def verify(folder: Path, promised: list[Download]) -> None:
    """Every promised file is there and is that file; ServerError names the first that is not."""
    for one in promised:
        path = folder / one.file
        if not path.exists():
            raise ServerError(f"{one.file} was not fetched. Try again")
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if found != one.sha256:
            raise ServerError(
                f"{one.file} has the SHA-256 {found}, not {one.sha256}. It was not used; delete {path} and try again"
            )
