"""The documentation: links lead somewhere, pages are found from the index, and the codes they name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from tests.deploy.pages import INDEX, anchors, links, pages, reachable


def test_links__every_relative_one__leads_to_a_file() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target.relative_to(ROOT)}"
        for page in pages()
        for target, _ in links(page)
        if not target.exists()
    ]
    assert not broken, "\n".join(broken)


def test_links__with_an_anchor__lead_to_a_heading() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target.relative_to(ROOT)}#{anchor}"
        for page in pages()
        for target, anchor in links(page)
        if anchor and target.suffix == ".md" and target.is_file() and anchor not in anchors(target)
    ]
    assert not broken, "\n".join(broken)


def test_pages__of_the_documentation__are_reached_from_the_index() -> None:
    found = reachable(INDEX)
    missing = [str(page) for page in pages() if page.is_relative_to(ROOT / "docs") and page not in found]
    assert not missing, "\n".join(missing)


INCIDENT_PAGES = sorted((ROOT / "docs/incident").glob("*.md"))
_CODES = re.compile(r"^\| code \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)


@pytest.mark.parametrize("page", INCIDENT_PAGES, ids=[page.stem for page in INCIDENT_PAGES])
def test_incident_page__codes_that_its_tables_name__are_those_of_the_code(page: Path) -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "backend").rglob("*.py"))
    named = re.findall(r"`([a-z_]+)`", "\n".join(row.split(" | ")[0] for row in _rows(page)))
    assert [code for code in named if f'"{code}"' not in source] == []


def _rows(page: Path) -> list[str]:
    """Rows of the page's tables of codes."""
    return [row for table in _CODES.findall(page.read_text()) for row in table.splitlines()]
