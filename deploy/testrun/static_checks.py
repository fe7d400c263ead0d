"""Static checks; each tool counts as one test."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deploy.release import advisories
from deploy.services.process import PYTHON, ROOT
from deploy.testrun.counts import Counts
from deploy.testrun.workspace import Workspace

BIN = ROOT / ".venv" / "bin"
NODE = ROOT / "node_modules" / ".bin"
SCHEMA = "frontend/src/api/generated/openapi.yaml"
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


def run_checks(commands: Mapping[str, list[str]]) -> Counts:
    """The results of these programs, `AT_ONCE` of them running at a time; each counts as one test."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return sum(pool.map(_check, commands, commands.values()), Counts())


def _check(name: str, command: list[str]) -> Counts:
    started, env = time.monotonic(), os.environ | {"HAWSER_DEBUG": "1"}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=env,
        timeout=LIMIT_S,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    seconds = time.monotonic() - started
    print(f"  {'FAIL' if done.returncode else 'ok  '} {name} ({seconds:.1f} s)\n{done.stdout}", end="", flush=True)
    slow = ((seconds, name),)
    return Counts(failed=1, slow=slow, failures=(name,)) if done.returncode else Counts(passed=1, slow=slow)


def lint(workspace: Workspace) -> Counts:
    """Every linter and type checker; in the whole also ESLint's rules that ask for types, and advisories."""
    generated = workspace.report("schema.yaml")
    schema = [PYTHON, "manage.py", "spectacular", "--validate", "--fail-on-warn", "--file", str(generated)]
    linters = {"schema generation": schema} | LINTERS
    if not workspace.is_whole:
        return run_checks(linters) + _is_fresh(generated)
    audited = sum((audit(name, command) for name, command in advisories.COMMANDS.items()), Counts())
    return audited + run_checks(WITH_TYPES | linters) + _is_fresh(generated)


def _is_fresh(generated: Path) -> Counts:
    """Whether the committed OpenAPI schema is the generated one."""
    if generated.exists() and generated.read_text() == (ROOT / SCHEMA).read_text():
        return Counts(passed=1)
    print(f"  {SCHEMA} differs from what the code generates; run `make schema`", flush=True)
    return Counts(failed=1, failures=("openapi.yaml is fresh",))


def audit(name: str, command: list[str]) -> Counts:
    """Failed if the report has an advisory; skipped if the service did not answer for every package."""
    answer = advisories.ask(name, command)
    failed, skipped = bool(answer.advisories), bool(answer.unanswered)
    word = "FAIL" if failed else "skip" if skipped else "ok  "
    print(f"  {word} {name}", *answer.advisories, *answer.unanswered[:3], sep="\n    ", flush=True)
    if failed:
        return Counts(failed=1, failures=(name,))
    return Counts(skipped=1) if skipped else Counts(passed=1)


def build(workspace: Workspace) -> Counts:
    """The production build of the pages, and the limits of its size."""
    built = run_checks({"vite build": [PYTHON, "-m", "deploy.demo.frontend"]})
    return built + run_checks({"size-limit": ["npm", "run", "--silent", "size"]})
