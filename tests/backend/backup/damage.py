"""Archives that are damaged, or written by another program."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from backend.config.backup import manifest as manifests
from backend.config.backup.reading import open_archive
from backend.config.backup.writing import MANIFEST


def rewritten(source: Path, target: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """A copy whose members were changed, with valid checksums of the ZIP format; None leaves a member out."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = change(name, old.read(name))
            if content is not None:
                new.writestr(name, content)
    return target


def with_part(source: Path, target: Path, part: str, content: bytes | None) -> Path:
    """A copy with another content of one member."""
    return rewritten(source, target, lambda name, old: content if name == part else old)


def with_manifest(source: Path, target: Path, **changes: Any) -> Path:
    """A copy whose manifest says something else and is signed with the console's own key."""
    with open_archive(source) as archive:
        changed = replace(archive.manifest, **changes)
    return with_part(source, target, MANIFEST, manifests.write(changed))


def with_forged_manifest(source: Path, target: Path, **changes: Any) -> Path:
    """A copy whose manifest says something else and keeps the MAC of the genuine one."""
    with open_archive(source) as archive:
        content = json.dumps(asdict(replace(archive.manifest, **changes)))

    def forge(name: str, old: bytes) -> bytes:
        return json.dumps({**json.loads(old), "content": content}).encode() if name == MANIFEST else old

    return rewritten(source, target, forge)


def members(source: Path) -> list[str]:
    """Names of the members."""
    with zipfile.ZipFile(source) as file:
        return file.namelist()
