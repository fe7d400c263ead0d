"""The table of OWASP ASVS: every item of level 2 once, and what it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache

from deploy.services.process import ROOT
from tests.backend.asvs import page
from tests.backend.asvs.table import CHAPTERS, ITEMS, ROWS, rows_of

DOCUMENTED_ALONE = ("V1.1.7", "V1.10.1")
"""Items that a document fulfils or names; every other one has a test."""


@cache
def _tests_of(path: str) -> frozenset[str]:
    """Names of the tests of a Python file, read and not run."""
    nodes = ast.parse((ROOT / path).read_text()).body
    return frozenset(node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _is_heading(held: str) -> bool:
    path, _, anchor = held.partition("#")
    titles = re.findall(r"(?m)^#+ (.*)$", (ROOT / path).read_text())
    return anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def _exists(held: str) -> bool:
    path, _, name = held.partition("::")
    if "#" in held:
        return (ROOT / held.partition("#")[0]).is_file() and _is_heading(held)
    if not (ROOT / path).is_file() or not re.search(r"(/test_\w+\.py|\.spec\.ts)$", path):
        return False
    return not name or name in _tests_of(path)


def test_items__of_level_2__have_one_row_each_in_order() -> None:
    assert len(ITEMS) == len(set(ITEMS)) == 259
    assert tuple(row.number for row in ROWS) == ITEMS


def test_chapters__their_rows__are_of_their_chapter() -> None:
    assert all(row.chapter == chapter for chapter in CHAPTERS for row in rows_of(chapter))


def test_row__tests_and_headings_that_it_names__exist() -> None:
    missing = [f"{row.number}: {held}" for row in ROWS for held in row.held_by if not _exists(held)]
    assert not missing, "\n".join(missing)


def test_rows__all_of_them__name_what_holds_them() -> None:
    assert all(row.subject and row.how.endswith(".") and row.held_by for row in ROWS)
    documents = {row.number for row in ROWS if all("#" in held for held in row.held_by)}
    assert documents <= set(DOCUMENTED_ALONE)


def test_exists__a_name_of_nothing__is_noticed() -> None:
    assert not _exists("tests/backend/asvs/test_asvs.py::test_nothing")
    assert not _exists("tests/backend/asvs/page.py")
    assert not _exists("docs/reference/asvs.md#nothing")


def test_page__generated__is_current() -> None:
    assert page.PAGE.read_text() == page.written()
