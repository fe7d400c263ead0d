"""README and the page of releases claim the releases that the tests run on, and no others."""

from __future__ import annotations

import re

import pytest

from backend.core.dialects.tested_versions import BEYOND, FAMILIES, FIRST, TESTED, shown
from deploy.servers.catalogue import CATALOGUE
from deploy.services.process import ROOT

_RELEASE = re.compile(r"\b1[012]\.\d+\.\d+\b")
_PAGES = ("README.md", "docs/reference/compatibility.md")


@pytest.mark.parametrize("page", _PAGES)
def test_page__releases_it_names__are_those_of_the_table(page: str) -> None:
    text = (ROOT / page).read_text()
    assert set(_RELEASE.findall(text)) == set(TESTED.values())
    assert f"{shown(FIRST)} to {BEYOND[0]}.{BEYOND[1] - 1}" in text


def test_table__each_series__can_be_run_in_the_lab() -> None:
    assert {build.series for name, build in CATALOGUE.items() if name.startswith("mariadb-")} == set(map(shown, TESTED))


@pytest.mark.parametrize("page", _PAGES)
def test_page__row_of_each_family__names_the_releases_that_were_tried(page: str) -> None:
    text = (ROOT / page).read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    for family in FAMILIES.values():
        for release in family.tested.values():
            assert any(line.startswith(f"| {family.name} {release} |") for line in rows), release
