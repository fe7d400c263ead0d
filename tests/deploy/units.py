"""The units as data."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from deploy.services.process import PYTHON, ROOT

FOLDER = ROOT / "deploy/systemd"
SERVICES = sorted(path.name for path in FOLDER.glob("*.service"))


def values(name: str, key: str) -> list[str]:
    """Every value of a key in a unit, in order."""
    return re.findall(rf"^{key}=(.*)$", (FOLDER / name).read_text(), re.MULTILINE)


def secrets(name: str) -> set[str]:
    """Names of the credentials that systemd hands to it."""
    return {each.partition(":")[0] for each in values(name, "LoadCredential")}


def environment(name: str, credentials: Path) -> dict[str, str]:
    """Its environment, with this folder for its credentials."""
    return dict(each.replace("%d", str(credentials)).split("=", 1) for each in values(name, "Environment"))


def command(name: str) -> list[str]:
    """What it starts, with another Python."""
    _, *rest = shlex.split(values(name, "ExecStart")[0])
    return [PYTHON, *rest]
