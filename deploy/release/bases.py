"""The images that a release is built and runs on, with the digests that their names had when it was made."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from deploy.release.errors import ReleaseError
from deploy.services.process import ROOT

_NAMES = {
    "deploy/images/Dockerfile": r"^ARG \w+_IMAGE=(\S+)$",
    "docker-compose.yml": r"\$\{HAWSER_\w+_IMAGE:-([^}]+)\}",
}
_LOOK_UP = ["docker", "buildx", "imagetools", "inspect", "--format", "{{json .Manifest}}"]
_LIMIT_S = 120.0
_DATE = "hawser:looked_up"
Component = dict[str, Any]


@dataclass(frozen=True, order=True)
class Base:
    """An image by name and tag. `digest` (sha256, hex) and the day are blank where nobody asked: for tests alone."""

    name: str
    digest: str = ""
    looked_up: str = ""


def named() -> list[Base]:
    """Those that the image and the compose file name."""
    found = {
        name for path, name in _NAMES.items() for name in re.findall(name, (ROOT / path).read_text(), re.MULTILINE)
    }
    return [Base(name) for name in sorted(found)]


def look_up(today: date, command: Sequence[str] = _LOOK_UP) -> list[Base]:
    """The same with the digests that their registry says now."""
    return [Base(one.name, _digest(one.name, command), today.isoformat()) for one in named()]


def _digest(name: str, command: Sequence[str]) -> str:
    try:
        done = subprocess.run([*command, name], capture_output=True, text=True, timeout=_LIMIT_S, check=True)
        digest = str(json.loads(done.stdout)["digest"])
    except (ValueError, LookupError, TypeError, OSError, subprocess.SubprocessError) as error:
        raise _unknown(name, str(error)) from error
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        raise _unknown(name, f"{digest!r} is none")
    return digest.removeprefix("sha256:")


def _unknown(name: str, why: str) -> ReleaseError:
    return ReleaseError(
        f"No release: the digest of {name} is unknown ({why[:200]}). Make it where docker reaches the registry, or "
        "give the bill of images of the same release by --bases."
    )


def read(bill: Path) -> list[Base]:
    """Those of a bill that was made before: another build of the same release states the same ones."""
    try:
        found = sorted(_base(one) for one in json.loads(bill.read_text())["components"])
    except (ValueError, LookupError, TypeError, OSError) as error:
        raise ReleaseError(f"No release: {bill} is no bill of images: {error}") from error
    if [one.name for one in found] != [one.name for one in named()]:
        raise ReleaseError(f"No release: {bill} is of other images than the tree names. Leave --bases out.")
    return found


def as_component(base: Base) -> Component:
    """A base as a bill of materials has it."""
    name, _, tag = base.name.rpartition(":")
    known = {
        "hashes": [{"alg": "SHA-256", "content": base.digest}],
        "properties": [{"name": _DATE, "value": base.looked_up}],
    }
    plain = {"type": "container", "bom-ref": base.name, "name": name, "version": tag}
    return plain | known if base.digest else plain


def _base(one: Component) -> Base:
    (digest,), (day,) = one["hashes"], one["properties"]
    return Base(one["bom-ref"], digest["content"], day["value"])
