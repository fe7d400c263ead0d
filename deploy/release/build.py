"""Makes a release in a folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from deploy.release import checksums, description, materials
from deploy.release.archive import Entry, write_archive
from deploy.release.client import build_wheel
from deploy.release.contents import entries
from deploy.release.errors import ReleaseError
from deploy.release.tree import Tree
from deploy.release.version import VERSION

TOP = f"hawser-{VERSION}"


def build_release(tree: Tree, pages: Path, out: Path) -> list[Path]:
    """Archive, bills of materials, wheel and checksums; an earlier release in the folder is removed."""
    _empty(out)
    time = tree.committed_at
    bills = {
        f"{TOP}.python.cdx.json": materials.as_text(materials.python_bill(time)),
        f"{TOP}.pages.cdx.json": materials.as_text(materials.pages_bill(time)),
    }
    for name, text in bills.items():
        (out / name).write_text(text)
    own = Entry(description.NAME, description.as_text(description.describe(tree)).encode())
    write_archive(out / f"{TOP}.tar.gz", TOP, [*entries(tree, pages), own], time)
    build_wheel(out, time)
    checksums.write_checksums(out)
    return sorted(out.iterdir())


def _empty(out: Path) -> None:
    if out.exists() and any(out.iterdir()) and not (out / checksums.NAME).is_file():
        raise ReleaseError(f"No release: {out} has files that are no release. Choose another folder with --out.")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
