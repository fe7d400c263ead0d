"""The page of faults is whole, names tests that exist, and the marks of the bench are those of its rows."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from deploy.services.process import ROOT

PAGE = ROOT / "docs/evidence/fault-catalogue.md"
COUNTS = {"A": 22, "B": 26, "C": 25, "D": 16}
SEEN_ON_REAL_SERVERS = 60
"""Of the 89, at least so many are covered by a test that drives real servers."""
ROWS = {
    fault: re.findall(r"^- `(tests/[^`]+)`$", text, re.MULTILINE)
    for fault, text in re.findall(r"^### (\w+) (.*?)(?=^##|\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL)
}
"""Fault -> the tests that cover it."""


def test_catalogue__all_89_in_order__each_has_a_test() -> None:
    assert [*ROWS] == [f"{letter}{number}" for letter, count in COUNTS.items() for number in range(1, count + 1)]
    assert all(ROWS.values())


def test_faults__tests_that_they_name__exist() -> None:
    assert [test for tests in ROWS.values() for test in tests if not exists(test)] == []


def exists(test: str) -> bool:
    """Whether a test of that name stands in that file."""
    path, _, name = test.partition("::")
    file = ROOT / path
    if not file.exists():
        return False
    return name in functions(file) if file.suffix == ".py" else f'"{name}"' in file.read_text()


@cache
def functions(file: Path) -> frozenset[str]:
    """Test functions of a module."""
    return frozenset(node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef))


def test_marks__of_the_bench__agree_with_the_catalogue() -> None:
    """Every test that says to inject a fault is named by that fault's row, and the other way round."""
    named = {(fault, test.rpartition("::")[2]) for fault in ROWS for test in ROWS[fault] if "tests/faults/" in test}
    assert {pair for file in Path(__file__).parent.glob("test_*.py") for pair in marked(file)} == named


def marked(file: Path) -> set[tuple[str, str]]:
    """(fault, test) of every `faults` mark in a module."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        for mark in getattr(node, "decorator_list", []):
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.faults":
                found |= {(str(ast.literal_eval(one)), node.name) for one in mark.args}  # type: ignore[attr-defined]
    return found


def test_real_servers__cover__most_of_the_catalogue() -> None:
    real = [fault for fault in ROWS if any(re.match(r"tests/(faults|galera|gateway)/", test) for test in ROWS[fault])]
    assert len(real) >= SEEN_ON_REAL_SERVERS, len(real)
