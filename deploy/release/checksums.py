"""SHA256SUMS, as `sha256sum --check` reads it."""

from __future__ import annotations

import hashlib
from pathlib import Path

NAME = "SHA256SUMS"


def write_checksums(folder: Path) -> Path:
    """A line for every other file of the folder, sorted by name."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name not in (NAME, f"{NAME}.sig"))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / NAME).write_text("".join(lines))
    return folder / NAME
