"""docs/explanation/security.md: every holder and every attack names tests, and each of them exists."""

from __future__ import annotations

import re

import pytest

from deploy.services.process import ROOT
from tests.support.names_of_tests import names_of_tests

PAGE = ROOT / "docs/explanation/security.md"
HOLDERS = (
    "a caller without a sign-in",
    "viewer",
    "operator",
    "approver",
    "administrator",
    "a user of the console's shell",
    "control of the identity provider or directory",
    "write access to Redis",
    "write access to the console's database",
    "a database node that lies",
    "a stolen token",
    "a stolen session cookie",
    "a stolen backup of the console's database",
)
ATTACKS = 48
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def _rows(section: str) -> list[list[str]]:
    """Cells of a table's rows, without its head."""
    text = PAGE.read_text()
    table = text.partition(f"<!-- {section}: begin -->\n")[2].partition(f"<!-- {section}: end -->")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_holders__all_of_them__have_a_row_each() -> None:
    assert tuple(row[0] for row in _rows("holders")) == HOLDERS


@pytest.mark.parametrize(("section", "columns"), [("holders", 4), ("attacks", 3)])
def test_row__whatever_it_claims__is_filled_and_names_a_test(section: str, columns: int) -> None:
    for row in _rows(section):
        assert len(row) == columns, row[0]
        assert all(row), row[0]
        assert _TEST.search(row[-1]), row[0]


def test_attacks__of_the_review__are_all_there_once() -> None:
    subjects = [row[0] for row in _rows("attacks")]
    assert len(subjects) == len(set(subjects)) == ATTACKS


def test_page__tests_that_it_names__exist() -> None:
    named = _TEST.findall(PAGE.read_text())
    missing = [f"{path}::{name}" for path, name in named if name not in names_of_tests(path)]
    assert named
    assert not missing, "\n".join(missing)


def test_limits__that_tests_show__stand_on_the_page() -> None:
    shown = {
        name
        for file in (ROOT / "tests/backend/threats").glob("test_*.py")
        for name in names_of_tests(str(file.relative_to(ROOT)))
        if name.startswith("test_limit__")
    }
    assert shown <= {name for _, name in _TEST.findall(PAGE.read_text())}


def test_page__links__from_where_people_look_and_to_files() -> None:
    assert "(explanation/security.md)" in (ROOT / "docs/README.md").read_text()
    assert "(docs/explanation/security.md)" in (ROOT / "SECURITY.md").read_text()
    targets = re.findall(r"\]\(([^)#]+)", PAGE.read_text())
    assert all((PAGE.parent / target).is_file() for target in targets), targets
