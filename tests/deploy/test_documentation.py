"""The documentation: links lead somewhere, pages are found from the index, and each has its folder."""

from __future__ import annotations

import re

import pytest

from deploy.services.process import ROOT
from tests.deploy.pages import INDEX, anchors, links, pages, reachable

pytestmark = pytest.mark.deploy

FOLDERS = {"tutorials", "how-to", "incident", "reference", "explanation", "evidence"}
AT_THE_TOP = {"README.md", "architecture.md"}
GENERATED = {ROOT / "docs/reference/findings.md", ROOT / "docs/reference/problems.md"}
"""Written from the catalogues of codes."""


def test_links__every_relative_one__leads_to_a_file() -> None:
    broken = [
        f"{page.relative_to(ROOT)}: {target.relative_to(ROOT)}"
        for page in pages()
        for target, _ in links(page)
        if not target.exists() and target not in GENERATED
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
