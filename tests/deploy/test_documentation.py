"""The documentation: links lead somewhere, pages are found from the index, and each has its folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deploy.services.process import ROOT
from tests.deploy.pages import INDEX, anchors, links, pages, reachable

FOLDERS = {"tutorials", "how-to", "incident", "reference", "explanation", "evidence", "measurements"}
AT_THE_TOP = {"README.md", "architecture.md"}


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


def test_pages__of_the_documentation__stand_in_the_folder_of_their_kind() -> None:
    names = [page.relative_to(ROOT / "docs") for page in pages() if page.is_relative_to(ROOT / "docs")]
    stray = [str(name) for name in names if name.parts[0] not in FOLDERS | AT_THE_TOP]
    assert not stray, "\n".join(stray)


def test_decisions__each_record__has_its_number_status_date_and_sections_and_a_row_in_the_index() -> None:
    folder = ROOT / "docs/explanation/decisions"
    records = sorted(folder.glob("[0-9]*.md"))
    index = (folder / "README.md").read_text()
    assert [record.name[:4] for record in records] == [f"{number:04}" for number in range(1, len(records) + 1)]
    for record in records:
        text = record.read_text()
        title = re.match(rf"# {record.name[:4]}\. (.+)\n\nStatus: (\w+)\. Date: (\d{{4}}-\d\d-\d\d)\.\n", text)
        assert title, record.name
        assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Alternatives", "Consequences"]
        assert f"| {record.name[:4]} | [{title[1]}]({record.name}) | {title[2]} | {title[3]} |" in index


INCIDENT_PAGES = sorted((ROOT / "docs/incident").glob("*.md"))
_CODES = re.compile(r"^\| code \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)


@pytest.mark.parametrize("page", INCIDENT_PAGES, ids=[page.stem for page in INCIDENT_PAGES])
def test_incident_page__of_any_kind__has_its_shape_and_stands_in_the_first_table(page: Path) -> None:
    headings = re.findall(r"^## (.+)$", page.read_text(), re.MULTILINE)
    shape = ["When to use this page", "Before you start", "What you should see", "Afterwards"]
    assert [heading for heading in headings if heading in shape] == shape
    first_table = INDEX.read_text().partition("## In an incident\n")[2].partition("\n## ")[0]
    assert f"](incident/{page.name}" in first_table


@pytest.mark.parametrize("page", INCIDENT_PAGES, ids=[page.stem for page in INCIDENT_PAGES])
def test_incident_page__codes_that_its_tables_name__are_those_of_the_code(page: Path) -> None:
    source = "\n".join(path.read_text() for path in (ROOT / "backend").rglob("*.py"))
    named = re.findall(r"`([a-z_]+)`", "\n".join(row.split(" | ")[0] for row in _rows(page)))
    assert [code for code in named if f'"{code}"' not in source] == []


def _rows(page: Path) -> list[str]:
    """Rows of the page's tables of codes."""
    return [row for table in _CODES.findall(page.read_text()) for row in table.splitlines()]
