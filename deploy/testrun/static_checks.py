"""Static checks; each tool counts as one test."""

from __future__ import annotations

import time

from deploy.services.process import PYTHON, ROOT
from deploy.testrun.counts import Counts
from deploy.testrun.tool import run_tool
from deploy.testrun.workspace import Workspace

BIN = ROOT / ".venv" / "bin"
NODE = ROOT / "node_modules" / ".bin"
SCHEMA = "frontend/src/api/generated/openapi.yaml"
TYPES = "frontend/src/api/generated/schema.ts"
LIMIT_S = 1200.0
"""In the background a linter gets what the scenarios leave of the processors."""

LINTERS: dict[str, list[str]] = {
    "ruff check": [f"{BIN}/ruff", "check", "."],
    "ruff format": [f"{BIN}/ruff", "format", "--check", "."],
    "mypy": [f"{BIN}/mypy"],
    "import-linter": [f"{BIN}/lint-imports"],
    "yamllint": [f"{BIN}/yamllint", "--strict", "."],
    "eslint": ["npm", "run", "--silent", "lint:eslint"],
    "biome": [f"{NODE}/biome", "ci", "--colors=off"],
    "knip": ["npm", "run", "--silent", "lint:unused"],
    "tsc": ["npm", "run", "--silent", "typecheck"],
    "django check": [PYTHON, "manage.py", "check", "--fail-level", "WARNING"],
    "migrations": [PYTHON, "manage.py", "makemigrations", "--check", "--dry-run"],
    "vocabulary": [PYTHON, "-m", "deploy.testrun.vocabulary"],
    "commit subjects": [PYTHON, "-m", "deploy.testrun.commit_subjects"],
}


def _check(name: str, command: list[str]) -> Counts:
    started = time.monotonic()
    code = run_tool(command, limit_s=LIMIT_S, env={"HAWSER_DEBUG": "1"})
    seconds = time.monotonic() - started
    print(f"  {'ok  ' if code == 0 else 'FAIL'} {name} ({seconds:.1f} s)", flush=True)
    slow = ((seconds, name),)
    return Counts(passed=1, slow=slow) if code == 0 else Counts(failed=1, slow=slow, failures=(name,))


def lint(workspace: Workspace) -> Counts:
    """Every linter and type checker."""
    return sum((_check(name, command) for name, command in LINTERS.items()), Counts())


def _same(name: str, committed: str, generated: str) -> Counts:
    wanted, present = (ROOT / generated).read_text(), ROOT / committed
    if present.exists() and present.read_text() == wanted:
        return Counts(passed=1)
    print(f"  {committed} differs from what the code generates; run `make schema`", flush=True)
    return Counts(failed=1, failures=(name,))


def schema(workspace: Workspace) -> Counts:
    """Checks that the committed OpenAPI schema and client types are the generated ones."""
    yaml, types = workspace.report("schema.yaml"), workspace.report("schema.ts")
    command = [PYTHON, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", str(yaml)]
    counts = _check("schema generation", command)
    if yaml.exists():
        counts += _same("schema.yaml is fresh", SCHEMA, str(yaml))
    command = [f"{NODE}/openapi-typescript", SCHEMA, "--output", str(types)]
    counts += _check("client types", command)
    if types.exists():
        counts += _same("schema.ts is fresh", TYPES, str(types))
    return counts


def build(workspace: Workspace) -> Counts:
    """The production build of the pages, and the limits of its size."""
    built = _check("vite build", [PYTHON, "-m", "deploy.demo.frontend"])
    return built + _check("size-limit", ["npm", "run", "--silent", "size"])
