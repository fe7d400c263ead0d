"""The version. It stands in pyproject.toml; every other place is written from there.

`python -m deploy.release.version 0.2.0` writes a new one into all of them; then run `make schema`.
tests/deploy/test_release_version.py compares them.
"""

from __future__ import annotations

import re
import sys
import tomllib

from deploy.release.errors import ReleaseError
from deploy.services.process import ROOT

VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
_V = r"(\d+\.\d+\.\d+)"
# A pattern has one group, which is the version, and matches once or more.
PLACES: dict[str, str] = {
    "pyproject.toml": rf'\A\[project\]\nname = "hawser"\nversion = "{_V}"',
    "backend/config/settings/console.py": rf'^HAWSER_VERSION = "{_V}"',
    "deploy/client/hawser.py": rf'^VERSION = "{_V}"',
    "deploy/client/pyproject.toml": rf'^version = "{_V}"',
    "docs/how-to/command-line-client.md": rf"hawser_client-{_V}-py3",
    "docs/how-to/install.md": rf"hawser(?:-|/console:){_V}",
    "docker-compose.yml": rf"^ +image: hawser/(?:console|demo):{_V}$",
    "frontend/mock-api/seeds/session.ts": rf'^  version: "{_V}"',
    "frontend/src/api/generated/openapi.yaml": rf"\Aopenapi: .*\ninfo:\n  title: .*\n  version: {_V}$",
    "package.json": rf'\A\{{\n  "name": "hawser-console",\n  "private": true,\n  "version": "{_V}"',
    "package-lock.json": rf'"name": "hawser-console",\n +"version": "{_V}"',
    "README.md": rf"^Version {_V},",
}


def versions_in(text: str, pattern: str) -> list[str]:
    """Every version that a text states."""
    return [match[1] for match in re.finditer(pattern, text, re.MULTILINE)]


def with_version(text: str, pattern: str, version: str) -> str:
    """The text with another version."""

    def replaced(match: re.Match[str]) -> str:
        start, end = match.start(1) - match.start(), match.end(1) - match.start()
        return match[0][:start] + version + match[0][end:]

    return re.sub(pattern, replaced, text, flags=re.MULTILINE)


def set_version(version: str) -> None:
    """Write a version into every place."""
    if not re.fullmatch(_V, version):
        raise ReleaseError(f"{version!r} is no version. Write it like 0.2.0.")
    for name, pattern in PLACES.items():
        path = ROOT / name
        path.write_text(with_version(path.read_text(), pattern, version))
        print(f"{name}: {version}")


if __name__ == "__main__":
    set_version(*sys.argv[1:])
