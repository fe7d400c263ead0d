"""Pages of the reference that tests hold against the source: what they say of each code, by its heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

REFERENCE: Final = Path(__file__).parents[2] / "docs" / "reference"


@dataclass(frozen=True, slots=True)
class Entry:
    """`codes` are those of the heading, `fields` the names in its table; `text` is what stands below the heading."""

    subject: str
    title: str
    codes: tuple[str, ...]
    text: str

    @property
    def fields(self) -> list[str]:
        """In the order of the table."""
        return re.findall(r"(?m)^\| `(\w+)` \|", self.text)

    def one_of(self, prefix: str) -> list[str]:
        """What its first line says behind the prefix: `A or B.`."""
        return self.text.partition("\n")[0].removeprefix(prefix).removesuffix(".").split(" or ")

    def line(self, name: str) -> str:
        """What follows `- name: `; blank where there is no such line."""
        found = re.search(rf"(?m)^- {re.escape(name)}: (.+)$", self.text)
        return found[1] if found else ""


@cache
def entries(page: str) -> tuple[Entry, ...]:
    """Of a page by the name of its file."""
    return tuple(_entries((REFERENCE / page).read_text(encoding="utf-8")))


def _entries(text: str) -> Iterator[Entry]:
    for section in re.split(r"(?m)^## ", text)[1:]:
        subject, _, body = section.partition("\n")
        for part in re.split(r"(?m)^### ", body)[1:]:
            heading, _, below = part.partition("\n")
            title = heading.partition("`")[0].rstrip(": ")
            # The anchors of the next entry stand above its heading.
            below = re.sub(r"(?:\n<a id=.*>)+\s*\Z", "", below.rstrip())
            yield Entry(subject, title, tuple(re.findall(r"`([^`]+)`", heading)), below.strip())


def broken_layout(page: str, *, unanchored: str = "") -> list[str]:
    """Codes with two headings or, but in one subject, no anchor; anchors of none; subjects that the list lacks."""
    text = (REFERENCE / page).read_text(encoding="utf-8")
    found = entries(page)
    codes = [code for entry in found for code in entry.codes]
    listed = re.findall(r"(?m)^- \[([^]]+)\]\(#", text)
    anchors = re.findall(r'<a id="([^"]+)">', text)
    return [
        *(code for code in codes if codes.count(code) > 1),
        *(code for entry in found if entry.subject != unanchored for code in entry.codes if code not in anchors),
        *(subject for subject in dict.fromkeys(entry.subject for entry in found) if subject not in listed),
        *(anchor for anchor in anchors if anchor not in codes),
    ]


def unanswered(page: str) -> list[str]:
    """Codes whose title is a sentence, or whose three answers are not."""
    names = ("**What happened**", "**What it means**", "**What to do**")
    return [
        code
        for entry in entries(page)
        for code in entry.codes
        if entry.title.endswith(".") or not all((entry.title, *(entry.line(name).endswith(".") for name in names)))
    ]
