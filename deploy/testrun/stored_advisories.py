"""Compares the locked Python packages with a stored list of advisories, which needs no network.

The list is taken from a copy of the PyPA's advisory database (OSV form), for the locked packages alone:
`python -m deploy.testrun.stored_advisories /path/to/advisory-database` renews it. It says of which day it is: what was
reported later only `make audit-dependencies` knows.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from deploy.services.process import ROOT

FILE = Path(__file__).with_name("stored_advisories.json")
LOCKS = ("requirements.txt", "requirements-dev.txt")
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;]+)", re.MULTILINE)


def locked(texts: Iterable[str]) -> dict[str, str]:
    """Name and version of every locked package."""
    return {canonicalize_name(name): version for text in texts for name, version in _PIN.findall(text)}


def known() -> Mapping[str, list[dict[str, Any]]]:
    """The stored advisories by package."""
    found: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text())["packages"]
    return found


def affected(pins: Mapping[str, str], advisories: Mapping[str, list[dict[str, Any]]]) -> list[str]:
    """One line for each advisory that a locked version is affected by."""
    return [
        f"{name} {version}: {one['id']}"
        for name, version in sorted(pins.items())
        for one in advisories.get(name, [])
        if is_affected(Version(version), one)
    ]


def is_affected(version: Version, advisory: Mapping[str, Any]) -> bool:
    """Whether a range or the list of versions has it, by the rules of OSV."""
    return str(version) in advisory["versions"] or any(_holds(version, events) for events in advisory["ranges"])


def _holds(version: Version, events: list[dict[str, str]]) -> bool:
    """Ranges of a list of events in their order: `introduced` opens one, `fixed` and `last_affected` close it."""
    is_open = False
    for kind, at in sorted(_parsed(events), key=lambda event: event[1]):
        if kind == "introduced" and version >= at:
            is_open = True
        elif (kind == "fixed" and version >= at) or (kind == "last_affected" and version > at):
            is_open = False
    return is_open


def _parsed(events: list[dict[str, str]]) -> Iterator[tuple[str, Version]]:
    for event in events:
        for kind, text in event.items():
            try:
                yield kind, Version(text)
            except InvalidVersion:
                yield kind, Version("0")


def taken_from(checkout: Path, names: Iterable[str]) -> dict[str, Any]:
    """What a copy of the database, a Git directory, has of these packages, and of which day it is."""
    day = _git(checkout, "log", "-1", "--format=%cs").strip()
    packages = {name: found for name in sorted(names) if (found := list(_of_package(checkout, name)))}
    return {"day": day, "packages": packages}


def as_text(found: Mapping[str, Any]) -> str:
    """JSON with an advisory on each line, so that a renewed list is read as a diff."""
    packages = ",\n".join(
        f"  {json.dumps(name)}: [\n" + ",\n".join(f"    {json.dumps(one)}" for one in advisories) + "\n  ]"
        for name, advisories in found["packages"].items()
    )
    return f'{{\n "day": {json.dumps(found["day"])},\n "packages": {{\n{packages}\n }}\n}}\n'


def _of_package(checkout: Path, name: str) -> Iterator[dict[str, Any]]:
    for path in _git(checkout, "ls-tree", "--name-only", "HEAD", f"vulns/{name}/").split():
        advisory = yaml.safe_load(_git(checkout, "show", f"HEAD:{path}"))
        if "withdrawn" in advisory:
            continue
        parts = [one for one in advisory["affected"] if canonicalize_name(one["package"]["name"]) == name]
        ranges = [each["events"] for one in parts for each in one.get("ranges", []) if each["type"] == "ECOSYSTEM"]
        versions = [str(version) for one in parts for version in one.get("versions", [])] if not ranges else []
        yield {"id": advisory["id"], "ranges": ranges, "versions": versions}


def _git(checkout: Path, *arguments: str) -> str:
    command = ["git", "-C", str(checkout), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


if __name__ == "__main__":
    pins = locked((ROOT / name).read_text() for name in LOCKS)
    FILE.write_text(as_text(taken_from(Path(sys.argv[1]), pins)))
