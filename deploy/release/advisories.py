"""Advisories on the locked packages, from the services that pip-audit and npm ask: `make audit-dependencies`.

Where those services cannot be reached the tools have variables of their own for others: PIP_AUDIT_VULNERABILITY_SERVICE
with PIP_AUDIT_OSV_URL, and npm_config_registry.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from deploy.release.errors import ReleaseError
from deploy.services.process import PYTHON, ROOT

LIMIT_S = 1200.0
COMMANDS: Mapping[str, list[str]] = {
    "pip-audit": [
        *[PYTHON, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off"],
        *["--format", "json", "-r", "requirements.txt", "-r", "requirements-dev.txt"],
    ],
    "npm audit": ["npm", "audit", "--json"],
}


@dataclass(frozen=True)
class Advisory:
    """One vulnerability of a package; `names` are its identifier and others for the same one."""

    package: str
    names: tuple[str, ...]
    fixed_in: str = ""

    def __str__(self) -> str:
        fixed = f", fixed in {self.fixed_in}" if self.fixed_in else ""
        return f"{self.package}: {' '.join(self.names)}{fixed}"


@dataclass(frozen=True)
class Answer:
    """What the services said. `unanswered` says what it is unknown of, and why."""

    advisories: tuple[Advisory, ...] = ()
    unanswered: tuple[str, ...] = ()

    def __add__(self, other: Answer) -> Answer:
        return Answer(self.advisories + other.advisories, self.unanswered + other.unanswered)


def ask_all() -> Answer:
    """Of every locked package."""
    return sum((ask(name, command) for name, command in COMMANDS.items()), Answer())


def ask(name: str, command: list[str]) -> Answer:
    """What one tool says; a report that is none is no answer."""
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        return READERS[name](json.loads(done.stdout))
    except (ValueError, LookupError, TypeError, AttributeError, OSError, subprocess.SubprocessError) as error:
        return Answer(unanswered=(f"{name}: no report ({type(error).__name__}: {str(error)[:200]})",))


def _of_python(report: dict[str, Any]) -> Answer:
    """PyPI leaves out what it does not know, and pip-audit ends with 0 all the same."""
    packages = report["dependencies"]
    if not packages:
        raise ValueError("it is about no package")
    return Answer(
        tuple(
            Advisory(
                f"{one['name']} {one['version']}", (found["id"], *found["aliases"]), ", ".join(found["fix_versions"])
            )
            for one in packages
            if "skip_reason" not in one
            for found in one["vulns"]
        ),
        tuple(f"pip-audit: {one['name']}: {one['skip_reason']}" for one in packages if "skip_reason" in one),
    )


def _of_node(report: dict[str, Any]) -> Answer:
    """`via` names an advisory of the package itself, or a package below it, which has an entry of its own."""
    if "vulnerabilities" not in report:
        return Answer(unanswered=(f"npm audit: {report['message']}",))
    return Answer(
        tuple(
            Advisory(f"{name} {found['range']}", (found["url"].rpartition("/")[2],))
            for name, one in report["vulnerabilities"].items()
            for found in one["via"]
            if isinstance(found, dict)
        )
    )


READERS: Mapping[str, Callable[[dict[str, Any]], Answer]] = {"pip-audit": _of_python, "npm audit": _of_node}


def require_none(answer: Answer, accepted: Mapping[str, str]) -> None:
    """Refuse what is unknown, and each advisory that is not accepted by one of its names with a reason."""
    if answer.unanswered:
        raise ReleaseError(_unanswered(answer))
    open_ones = [one for one in answer.advisories if not set(one.names) & accepted.keys()]
    if open_ones:
        listed = "".join(f"\n  {one}" for one in open_ones)
        raise ReleaseError(
            f"{len(open_ones)} advisories on locked packages:{listed}\nRenew them (`make lock`, `npm update`). A "
            "release accepts one that does not concern Hawser by --accept 'ID: REASON', which its RELEASE.json has."
        )
    if unknown := accepted.keys() - {name for one in answer.advisories for name in one.names}:
        raise ReleaseError(f"--accept {', '.join(sorted(unknown))}: no locked package has this advisory. Leave it out.")


def _unanswered(answer: Answer) -> str:
    more = len(answer.unanswered) - 3
    listed = "".join(f"\n  {one}" for one in answer.unanswered[:3]) + (f"\n  and {more} more" if more > 0 else "")
    return (
        f"It is unknown whether locked packages have advisories, because a service did not answer:{listed}\n"
        "Ask again where PyPI and the npm registry are reached, or name other services (deploy/release/advisories.py)."
    )


def main() -> int:
    """Ask, and say in a sentence what was answered; 1 for an advisory or no answer."""
    try:
        require_none(ask_all(), {})
    except ReleaseError as error:
        print(error, file=sys.stderr)
        return 1
    print("No locked package has an advisory.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
