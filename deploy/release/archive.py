"""An archive whose bytes depend on its files alone: sorted names, one time, no owner, two modes."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Entry:
    """One file of the archive."""

    name: str
    content: bytes
    is_executable: bool = False


def read_entry(folder: Path, name: str) -> Entry:
    """A file of a folder. Of its mode only whether its owner may execute it counts, as in git."""
    path = folder / name
    return Entry(name, path.read_bytes(), bool(path.stat().st_mode & 0o100))


def write_archive(path: Path, top: str, entries: Iterable[Entry], time: int) -> None:
    """Write a .tar.gz with all entries below one folder. The file's own name is not stored in it."""
    with (
        path.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=time) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for entry in sorted(entries):
            archive.addfile(_header(top, entry, time), io.BytesIO(entry.content))


def _header(top: str, entry: Entry, time: int) -> tarfile.TarInfo:
    header = tarfile.TarInfo(f"{top}/{entry.name}")
    header.size, header.mtime = len(entry.content), time
    header.mode = 0o755 if entry.is_executable else 0o644
    return header
