"""Reports advisories for the locked packages: `python -m deploy.testrun.advisories`, by `make audit-dependencies`.

It queries the advisory services of both package registries, so it needs the network and is not part of `make test`.
A service that does not answer for every package counts as a failure: no answer is not a clean result.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from typing import Any

from deploy.services.process import ROOT

CLEAN, VULNERABLE, NOT_ASKED = 0, 1, 2
LIMIT_S = 600.0
# Not locked with the project: it is useless without the network, from which it is installed.
PIP_AUDIT = [f"{ROOT}/.venv/bin/uv", "tool", "run", "--from", "pip-audit==2.10.1", "pip-audit"]
PYTHON_PACKAGES = [
    *[*PIP_AUDIT, "--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json"],
    *["-r", "requirements.txt", "-r", "requirements-dev.txt"],
]
NODE_PACKAGES = ["npm", "audit", "--json"]


class NotAskedError(Exception):
    """An advisory service did not answer for every package."""


def python_advisories(report: dict[str, Any]) -> list[str]:
    """One line for each advisory in pip-audit's report."""
    packages = report["dependencies"]
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    if skipped or not packages:
        raise NotAskedError(f"no answer for {len(skipped)} of {len(packages)} Python packages")
    return [
        f"{one['name']} {one['version']}: {found['id']}, fixed in: {', '.join(found['fix_versions']) or 'none yet'}"
        for one in packages
        for found in one["vulns"]
    ]


def node_advisories(report: dict[str, Any]) -> list[str]:
    """One line for each package with an advisory in npm's report."""
    if "vulnerabilities" not in report:
        raise NotAskedError(f"npm's advisories: {report.get('message', 'no answer')}")
    return [f"{name} {one['range']}: {one['severity']}" for name, one in report["vulnerabilities"].items()]


ECOSYSTEMS = {"Python": (PYTHON_PACKAGES, python_advisories), "Node": (NODE_PACKAGES, node_advisories)}
Ask = Callable[[Sequence[str]], str]


def audit(ask: Ask) -> int:
    """Prints the advisories; the exit code."""
    codes = [_audit_one(name, command, found_in, ask) for name, (command, found_in) in ECOSYSTEMS.items()]
    return max(codes)


def _audit_one(name: str, command: Sequence[str], found_in: Callable[[dict[str, Any]], list[str]], ask: Ask) -> int:
    try:
        found = found_in(json.loads(ask(command)))
    except (NotAskedError, ValueError, KeyError, OSError, subprocess.TimeoutExpired) as error:
        print(f"{name}: not audited, this needs the network: {error}")
        return NOT_ASKED
    print(f"{name}: {len(found)} advisories")
    for line in found:
        print(f"  {line}")
    return VULNERABLE if found else CLEAN


def _report_of(command: Sequence[str]) -> str:
    """Standard output. Both programs end with 1 for advisories and for failures: only the report tells which."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False).stdout


if __name__ == "__main__":
    raise SystemExit(audit(_report_of))
