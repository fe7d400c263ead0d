"""The table of OWASP ASVS: every item of level 2 once, and what it names is there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.services.process import ROOT
from tests.support.names_of_tests import names_of_tests

PAGE: Final = ROOT / "docs/reference/asvs.md"
ITEMS: Final = tuple(Path(__file__).with_name("items.txt").read_text().split())
"""The numbers of all items of level 2."""
DOCUMENTED_ALONE: Final = ("V1.1.7", "V1.10.1")
"""Items that a document fulfils or names; every other one has a test."""
STATUSES: Final = ("met", "not applicable", "open")
"""One that is met in part is open."""


@dataclass(frozen=True, slots=True)
class Row:
    """`held_by` are tests (`path::name` or a whole file), or headings of documents (`path#heading`)."""

    chapter: str
    number: str
    subject: str
    status: str
    how: str
    held_by: tuple[str, ...]


def _rows() -> Iterator[Row]:
    chapter = ""
    for line in PAGE.read_text().splitlines():
        if line.startswith("## "):
            chapter = line[3:]
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and re.fullmatch(r"V\d+(\.\d+){2}", cells[0]):
            yield Row(chapter, *cells[:4], held_by=tuple(_held_by(cells[4])))


def _held_by(cell: str) -> Iterator[str]:
    for test, link in re.findall(r"`([^`]+)`|\]\(([^)]+)\)", cell):
        yield test or str((PAGE.parent / link).resolve().relative_to(ROOT))


ROWS: Final = tuple(_rows())


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
    return not name or name in names_of_tests(path)


def test_items__of_level_2__have_one_row_each_in_order() -> None:
    assert len(ITEMS) == len(set(ITEMS)) == 259
    assert tuple(row.number for row in ROWS) == ITEMS


def test_row__its_chapter_status_and_answer__are_there() -> None:
    for row in ROWS:
        assert row.chapter.startswith(row.number.partition(".")[0] + " "), row
        assert row.subject, row
        assert row.status in STATUSES, row
        assert row.how.endswith("."), row


def test_row__tests_and_headings_that_it_names__exist() -> None:
    missing = [f"{row.number}: {held}" for row in ROWS for held in row.held_by if not _exists(held)]
    assert not missing, "\n".join(missing)


def test_rows__all_of_them__name_what_holds_them() -> None:
    assert all(row.held_by for row in ROWS)
    documents = {row.number for row in ROWS if all("#" in held for held in row.held_by)}
    assert documents <= set(DOCUMENTED_ALONE)


def test_summary__counts_and_open_items__are_those_of_the_rows() -> None:
    page = PAGE.read_text()
    chapters = list(dict.fromkeys(row.chapter for row in ROWS))
    found = {chapter: Counter(row.status for row in ROWS if row.chapter == chapter) for chapter in chapters}
    for chapter, counts in found.items():
        numbers = " | ".join(str(counts[status]) for status in STATUSES)
        anchor = chapter.lower().replace(" ", "-")
        line = f"| [{chapter}](#{anchor}) | {counts.total()} | {numbers} | {'no' if counts['open'] else 'yes'} |"
        assert line in page, line
    whole = Counter(row.status for row in ROWS)
    met = sum(not counts["open"] for counts in found.values())
    numbers = " | ".join(str(whole[status]) for status in STATUSES)
    assert f"| all | {len(ROWS)} | {numbers} | {met} of {len(found)} |" in page
    shown = re.findall(r"(?m)^\| (V[\d.]+) \| [^|]+ \| [^|]+ \|$", page)
    assert shown == [row.number for row in ROWS if row.status == "open"]


def test_exists__a_name_of_nothing__is_noticed() -> None:
    assert not _exists("tests/backend/asvs/test_asvs.py::test_nothing")
    assert not _exists("tests/backend/asvs/items.txt")
    assert not _exists("docs/reference/asvs.md#nothing")
