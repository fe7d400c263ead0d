"""What the reference says of each code of a finding or a problem: its pages are the source, installed with the rest.

A test holds each code to a heading and three answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

REFERENCE: Final = Path(__file__).parents[2] / "docs" / "reference"
_ENTRY: Final = re.compile(
    r"^### (?P<title>.+): `(?P<code>\w+)`\n\n"
    r"(?:.+\n\n)?"  # severities or HTTP statuses
    r"- \*\*What happened\*\*: (?P<what_happened>.+)\n"
    r"- \*\*What it means\*\*: (?P<what_it_means>.+)\n"
    r"- \*\*What to do\*\*: (?P<what_to_do>.+)$",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """What happened, what it means, what to do. Code in backticks, links in Markdown."""

    code: str
    title: str
    what_happened: str
    what_it_means: str
    what_to_do: str


def _explained(page: str) -> Mapping[str, Explanation]:
    text = (REFERENCE / page).read_text(encoding="utf-8")
    return {found["code"]: Explanation(**found.groupdict()) for found in _ENTRY.finditer(text)}


FINDINGS: Final = _explained("findings.md")
PROBLEMS: Final = _explained("problems.md")


def title_of(code: str) -> str:
    """The title of a problem code.

    A test finds codes that the page lacks. An answer with such a code must still reach its caller.
    """
    return PROBLEMS[code].title if code in PROBLEMS else "Request failed"
