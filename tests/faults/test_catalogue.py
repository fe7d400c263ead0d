"""The catalogue is whole and names tests that exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from tests.faults.catalogue import ROWS, Row
from tests.faults.catalogue.kinds import kinds_of, summary

COUNTS = {"A": 22, "B": 26, "C": 25, "D": 16}
SEEN_ON_REAL_SERVERS = 60
"""Of the 89, at least so many are covered by a test that drives real servers."""


def test_catalogue__ids__are_all_89_in_order() -> None:
    wanted = [f"{letter}{number}" for letter, count in COUNTS.items() for number in range(1, count + 1)]
    assert [row.id for row in ROWS] == wanted


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_fault__in_the_catalogue__has_a_test_or_a_reason(row: Row) -> None:
    assert row.tests or row.reason, f"{row.id} {row.title} is neither tested nor said to be impossible"
    assert not row.tests or row.how, f"{row.id}: say how it is produced"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_fault__names_tests__that_exist(row: Row) -> None:
    missing = [test for test in row.tests if not exists(test)]
    assert missing == [], f"{row.id} names tests that are not there"


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
    named = {(row.id, test.rpartition("::")[2]) for row in ROWS for test in row.tests if "tests/faults/" in test}
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
    real = [r for r in ROWS if any(t.startswith(("tests/faults", "tests/galera", "tests/gateway")) for t in r.tests)]
    assert len(real) >= SEEN_ON_REAL_SERVERS, len(real)


def test_kinds__of_a_row__strongest_first_and_each_row_counted_once() -> None:
    row = Row("Z1", "", "", ("tests/api/test_x.py::y", "tests/core/test_x.py::y", "tests/faults/test_x.py::y"))
    assert kinds_of(row) == ["bench", "core", "parts"]
    assert [line.split(" | ")[1] for line in summary([row, row])[2:]] == ["2", "0", "0", "0"]
