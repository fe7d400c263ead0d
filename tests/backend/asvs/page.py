"""The page of the OWASP ASVS table: `python -m tests.backend.asvs.page` writes it from the rows."""

from __future__ import annotations

from deploy.services.process import ROOT
from tests.backend.asvs.row import Row, Status
from tests.backend.asvs.table import CHAPTERS, ROWS, rows_of

PAGE = ROOT / "docs/reference/asvs.md"
_HEAD = """\
# OWASP ASVS, level 2

For auditors. Each item of level 2 of the OWASP Application Security Verification Standard 4.0.3, by its number: whether
Hawser meets it, how, and the tests that hold it. The standard has the sentences; subjects here are our own words. An
item that is met in part is open. A chapter is met when none of its items is open. What an attacker can do is in
[security](../explanation/security.md).

<!-- Written by `python -m tests.backend.asvs.page` from tests/backend/asvs; a test fails where it is out of date -->
"""


def written() -> str:
    """The page as it must be."""
    parts = [_HEAD, *_summary(), *_open_items()]
    for chapter in CHAPTERS:
        parts += ["", f"## {_title(chapter)}", "", *_table(rows_of(chapter))]
    return "\n".join(parts) + "\n"


def _title(chapter: int) -> str:
    return f"V{chapter} {CHAPTERS[chapter]}"


def _summary() -> list[str]:
    """How many items of each chapter have which status."""
    used = [status for status in Status if any(row.status is status for row in ROWS)]
    lines = [f"| chapter | items | {' | '.join(used)} | chapter is met |", "|---" * (3 + len(used)) + "|"]
    for chapter in CHAPTERS:
        rows = rows_of(chapter)
        counts = " | ".join(str(_count(rows, status)) for status in used)
        lines.append(f"| {_link(_title(chapter))} | {len(rows)} | {counts} | {'yes' if _is_met(rows) else 'no'} |")
    counts = " | ".join(str(_count(ROWS, status)) for status in used)
    whole = sum(_is_met(rows_of(chapter)) for chapter in CHAPTERS)
    return [*lines, f"| all | {len(ROWS)} | {counts} | {whole} of {len(CHAPTERS)} |"]


def _link(title: str) -> str:
    return f"[{title}](#{title.lower().replace(' ', '-')})"


def _count(rows: tuple[Row, ...], status: Status) -> int:
    return sum(row.status is status for row in rows)


def _is_met(rows: tuple[Row, ...]) -> bool:
    return not any(row.status is Status.OPEN for row in rows)


def _open_items() -> list[str]:
    """What is missing, before the tables: it is what a reader looks for."""
    lines = [f"| {row.number} | {row.subject} | {row.how} |" for row in ROWS if row.status is Status.OPEN]
    return ["", "## Open items", "", "| item | subject | what is missing |", "|---|---|---|", *lines] if lines else []


def _table(rows: tuple[Row, ...]) -> list[str]:
    return ["| item | subject | status | where and how | held by |", "|---|---|---|---|---|", *map(_line, rows)]


def _line(row: Row) -> str:
    held_by = " ".join(_reference(held) for held in row.held_by)
    return f"| {row.number} | {row.subject} | {row.status} | {row.how} | {held_by} |"


def _reference(held: str) -> str:
    """A heading as a link, a test as code."""
    if "#" not in held:
        return f"`{held}`"
    return f"[{held.rpartition('/')[2]}](../../{held})".replace("../../docs/", "../")


if __name__ == "__main__":
    PAGE.write_text(written())
