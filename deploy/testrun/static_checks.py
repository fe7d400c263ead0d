"""Static checks; each tool counts as one test."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO

from deploy.services.process import PYTHON, ROOT, die_with_parent, kill_group
from deploy.testrun.counts import Counts
from deploy.testrun.workspace import Workspace

BIN = ROOT / ".venv" / "bin"
NODE = ROOT / "node_modules" / ".bin"
SCHEMA = "frontend/src/api/generated/openapi.yaml"
TYPES = "frontend/src/api/generated/schema.ts"
LIMIT_S = 1200.0
AT_ONCE = 2
"""Each takes one core."""

LINTERS: dict[str, list[str]] = {
    "mypy": [f"{BIN}/mypy"],
    "eslint": ["npm", "run", "--silent", "lint:eslint"],
    "tsc": ["npm", "run", "--silent", "typecheck"],
    "import-linter": [f"{BIN}/lint-imports"],
    "django check": [PYTHON, "manage.py", "check", "--fail-level", "WARNING"],
    "migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
    "knip": ["npm", "run", "--silent", "lint:unused"],
    "yamllint": [f"{BIN}/yamllint", "--strict", "."],
    "ruff check": [f"{BIN}/ruff", "check", "."],
    "ruff format": [f"{BIN}/ruff", "format", "--check", "."],
    "biome": [f"{NODE}/biome", "ci", "--colors=off"],
    "codespell": [f"{BIN}/codespell"],
}
"""The longest first."""
WITH_TYPES = {"eslint with types": ["npm", "run", "--silent", "lint:types"]}

AUDITS: dict[str, list[str]] = {
    "pip-audit": [
        *[f"{BIN}/pip-audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off", "--format", "json"],
        *["-r", "requirements.txt", "-r", "requirements-dev.txt"],
    ],
    "npm audit": ["npm", "audit", "--json"],
}


@dataclass
class Check:
    """A running checking program and its output."""

    name: str
    process: subprocess.Popen[bytes]
    output: IO[bytes]
    started: float = field(default_factory=time.monotonic)

    @property
    def has_ended(self) -> bool:
        """Whether its result is there; past the limit it is ended."""
        if time.monotonic() - self.started > LIMIT_S:
            kill_group(self.process.pid)
        return self.process.poll() is not None

    def result(self) -> Counts:
        """One test: passed if the program ended with 0. Its output is printed."""
        seconds = time.monotonic() - self.started
        self.output.seek(0)
        said = self.output.read().decode("utf-8", "replace")
        code = self.process.returncode
        print(f"  {'ok  ' if code == 0 else 'FAIL'} {self.name} ({seconds:.1f} s)\n{said}", end="", flush=True)
        slow = ((seconds, self.name),)
        return Counts(passed=1, slow=slow) if code == 0 else Counts(failed=1, slow=slow, failures=(self.name,))


def _started(name: str, command: list[str]) -> Check:
    output = tempfile.TemporaryFile()  # noqa: SIM115 - read and closed with the check
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {"HAWSER_DEBUG": "1"},
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=die_with_parent,  # noqa: PLW1509 - see there
    )
    return Check(name, process, output)


def run_checks(commands: Mapping[str, list[str]]) -> Counts:
    """The results of these programs, `AT_ONCE` of them running at a time."""
    waiting, running, counts = list(commands.items()), list[Check](), Counts()
    try:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                running.append(_started(*waiting.pop(0)))
            time.sleep(0.1)
            for check in [check for check in running if check.has_ended]:
                running.remove(check)
                counts += check.result()
    finally:
        for check in running:
            kill_group(check.process.pid)
    return counts


def lint(workspace: Workspace) -> Counts:
    """Every linter and type checker; in the whole ESLint's rules that ask for types, too."""
    return run_checks(WITH_TYPES | LINTERS if workspace.is_whole else LINTERS)


def audits(workspace: Workspace) -> Counts:
    """Asks the package registries for advisories on the locked packages."""
    return sum((audit(name, command) for name, command in AUDITS.items()), Counts())


def audit(name: str, command: list[str]) -> Counts:
    """Failed if the report has an advisory; skipped if the service did not answer for every package."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    if '"fix_versions"' in done.stdout or '"severity"' in done.stdout:
        print(f"  FAIL {name}: {done.stdout}", flush=True)
        return Counts(failed=1, failures=(name,))
    # Where PyPI does not answer, pip-audit leaves packages out and ends with 0.
    if done.returncode or '"skip_reason"' in done.stdout:
        print(f"  skip {name}: not reachable", flush=True)
        return Counts(skipped=1)
    print(f"  ok   {name}", flush=True)
    return Counts(passed=1)


def _same(name: str, committed: str, generated: str) -> Counts:
    wanted, present = (ROOT / generated).read_text(), ROOT / committed
    if present.exists() and present.read_text() == wanted:
        return Counts(passed=1)
    print(f"  {committed} differs from what the code generates; run `make schema`", flush=True)
    return Counts(failed=1, failures=(name,))


def schema(workspace: Workspace) -> Counts:
    """Checks that the committed OpenAPI schema and client types are the generated ones."""
    yaml, types = workspace.report("schema.yaml"), workspace.report("schema.ts")
    spectacular = [PYTHON, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", str(yaml)]
    openapi_typescript = [f"{NODE}/openapi-typescript", SCHEMA, "--output", str(types)]
    counts = run_checks({"schema generation": spectacular, "client types": openapi_typescript})
    for name, committed, generated in (("openapi.yaml", SCHEMA, yaml), ("schema.ts", TYPES, types)):
        if generated.exists():
            counts += _same(f"{name} is fresh", committed, str(generated))
    return counts


def build(workspace: Workspace) -> Counts:
    """The production build of the pages, and the limits of its size."""
    built = run_checks({"vite build": [PYTHON, "-m", "deploy.demo.frontend"]})
    return built + run_checks({"size-limit": ["npm", "run", "--silent", "size"]})
