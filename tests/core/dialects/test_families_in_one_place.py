"""What differs between server families stands in their folders: nothing else asks which family a server is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import backend

ROOT = Path(next(iter(backend.__path__)))
DIALECTS = ROOT / "core/dialects"
FAMILIES = frozenset({"mariadb", "mysql", "mysql-wsrep", "pxc"})
FILES = frozenset({"evidence.py", "facts.py", "fence.py", "grants.py", "names.py", "sessions.py", "statements.py"})
OF_THE_CONSOLE_ITSELF = frozenset(
    {"audit/triggers.py", "audit/management/commands/hawser_database_grants.py", "config/setting_checks.py"}
)
"""They ask for the database that the console itself runs on."""


def asked(tree: ast.Module) -> list[int]:
    """Lines that compare something with the name of a family, or import from a family's folder."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if (
            isinstance(node, ast.Compare)
            and FAMILIES & {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        )
        or (
            isinstance(node, ast.ImportFrom)
            and (node.module or "").startswith(tuple(f"backend.core.dialects.{name}" for name in FAMILIES))
        )
    ]


def test_backend__outside_the_dialects__no_family_is_asked_for() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}"
        for path in ROOT.rglob("*.py")
        if not path.is_relative_to(DIALECTS) and str(path.relative_to(ROOT)) not in OF_THE_CONSOLE_ITSELF
        if any(name in (text := path.read_text()) for name in FAMILIES)
        for line in asked(ast.parse(text))
    }
    assert found == set()


@pytest.mark.parametrize(
    "source",
    [
        "if flavor == 'mysql': pass",
        "x = facts.flavor in ('pxc', 'mysql')",
        "from backend.core.dialects.mariadb.statements import change_master",
    ],
)
def test_asked__family_is_asked_for__found(source: str) -> None:
    assert asked(ast.parse(source)) == [1]


def test_families__each__has_the_same_files() -> None:
    for family in ("mariadb", "mysql"):
        assert {path.name for path in (DIALECTS / family).glob("*.py")} >= FILES
