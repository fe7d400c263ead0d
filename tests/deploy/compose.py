"""The compose file as data, and what every name in it points to."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import yaml

from deploy.services.process import ROOT

FILE = ROOT / "docker-compose.yml"
DEFAULTS = re.compile(r"\$\{(\w+)(?::-([^}]*))?\}")


@cache
def compose() -> dict[str, Any]:
    """The parsed file, merge keys resolved, variables replaced by their defaults."""

    def default(match: re.Match[str]) -> str:
        assert match[2] is not None, f"${{{match[1]}}} has no default"
        return match[2]

    parsed: dict[str, Any] = yaml.safe_load(DEFAULTS.sub(default, FILE.read_text()))
    return parsed


def services() -> dict[str, dict[str, Any]]:
    """Services by name."""
    found: dict[str, dict[str, Any]] = compose()["services"]
    return found


def in_profile(profile: str) -> dict[str, dict[str, Any]]:
    """Services that a profile starts (those without a profile always start)."""
    return {name: each for name, each in services().items() if profile in each.get("profiles", [profile])}


def profiles() -> list[str]:
    """Every profile named in the file."""
    return sorted({profile for each in services().values() for profile in each.get("profiles", [])})


def dockerfile_text(service: dict[str, Any]) -> str:
    """Text of the Dockerfile a service is built from."""
    build = service["build"]
    return (ROOT / build["context"] / build["dockerfile"]).read_text()


def account(service: dict[str, Any]) -> int:
    """What its container runs under: as compose says, or else the image that we build."""
    if "user" in service:
        return int(service["user"].split(":")[0])
    users = re.findall(r"^USER (\d+)", dockerfile_text(service), re.MULTILINE)
    return int(users[0])
