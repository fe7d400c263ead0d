"""SECURITY.md: found from where people look, complete, and without an address of anybody's."""

from __future__ import annotations

import re

from deploy.services.process import ROOT

PAGE = ROOT / "SECURITY.md"


def test_page__linked__from_the_readme_and_the_documentation() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text()
    assert "(../SECURITY.md)" in (ROOT / "docs/README.md").read_text()


def test_page__answers__how_to_report_what_happens_which_versions_and_what_counts() -> None:
    headings = re.findall(r"^## (.+)$", PAGE.read_text(), re.MULTILINE)
    assert headings == [
        "How do I report a vulnerability?",
        "What happens then?",
        "Which versions get fixes?",
        "How is a release signed?",
        "What counts?",
    ]


def test_page__links__lead_to_files_and_no_address_is_named() -> None:
    text = PAGE.read_text()
    assert all((ROOT / target).is_file() for target in re.findall(r"\]\(([^)]+)\)", text))
    assert not re.search(r"@|https?://|\d+\.\d+\.\d+\.\d+", text)
