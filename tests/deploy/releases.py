"""A release of the tree as it is, made once for all tests, and its archive unpacked."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from deploy.demo import frontend
from deploy.release.bases import named
from deploy.release.build import TOP, build_release
from deploy.release.tree import read_tree


@dataclass(frozen=True)
class Release:
    """Its pages, its files, and the folder that its archive was unpacked to."""

    pages: Path
    files: Path
    unpacked: Path

    def text(self, name: str) -> str:
        """A file of the archive."""
        return (self.unpacked / name).read_text()

    def names(self) -> list[str]:
        """Every file of the archive."""
        return sorted(str(path.relative_to(self.unpacked)) for path in self.unpacked.rglob("*") if path.is_file())


def make_release(folder: Path) -> Release:
    """Uses the pages that a stage built before; builds them if there are none of these sources."""
    frontend.build_if_stale()
    with frontend.locked():
        # A stage that runs at the same time may build them again.
        shutil.copytree(frontend.DIST, folder / "pages")
    build_release(read_tree(), folder / "pages", folder / "files", bases=named())
    return Release(folder / "pages", folder / "files", unpack(folder / "files", folder))


def unpack(files: Path, folder: Path) -> Path:
    """The top folder of the archive, unpacked as a user does."""
    subprocess.run(["tar", "xzf", archive_of(files), "--directory", folder], check=True, timeout=60)
    return folder / TOP


def archive_of(files: Path) -> Path:
    """The archive of a release."""
    return files / f"{TOP}.tar.gz"
