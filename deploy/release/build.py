"""Makes a release in a folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from deploy.release import checksums, description, materials, signature
from deploy.release.archive import Entry, write_archive
from deploy.release.bases import Base
from deploy.release.client import build_wheel
from deploy.release.contents import entries
from deploy.release.errors import ReleaseError
from deploy.release.tree import Tree
from deploy.release.version import VERSION

_NONE: Mapping[str, str] = MappingProxyType({})
TOP = f"hawser-{VERSION}"


def build_release(
    tree: Tree,
    pages: Path,
    out: Path,
    *,
    bases: Sequence[Base],
    accepted: Mapping[str, str] = _NONE,
    key: Path | None = None,
) -> list[Path]:
    """The files of a release. They replace an earlier release in the folder once all of them are there."""
    if out.exists() and any(out.iterdir()) and not (out / checksums.NAME).is_file():
        raise ReleaseError(f"No release: {out} has files that are no release. Choose another folder with --out.")
    with tempfile.TemporaryDirectory(prefix="hawser-release-") as temporary:
        fresh = Path(temporary) / "dist"
        fresh.mkdir()
        _write(tree, pages, fresh, bases, accepted)
        if key is not None:
            signature.sign(fresh, key)
        shutil.rmtree(out, ignore_errors=True)
        shutil.move(fresh, out)
    return sorted(out.iterdir())


def _write(tree: Tree, pages: Path, out: Path, bases: Sequence[Base], accepted: Mapping[str, str]) -> None:
    time = tree.committed_at
    (out / f"{TOP}.python.cdx.json").write_text(materials.as_text(materials.python_bill(time)))
    (out / f"{TOP}.pages.cdx.json").write_text(materials.as_text(materials.pages_bill(time)))
    (out / f"{TOP}.images.cdx.json").write_text(materials.as_text(materials.images_bill(bases, time)))
    own = Entry(description.NAME, description.as_text(description.describe(tree, accepted)).encode())
    write_archive(out / f"{TOP}.tar.gz", TOP, [*entries(tree, pages), own], time)
    build_wheel(out, time)
    checksums.write_checksums(out)
