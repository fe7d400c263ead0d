"""The reference of problem codes: `python -m tests.backend.common.problem_page` writes docs/reference/problems.md."""

from __future__ import annotations

from pathlib import Path

from backend.common.problem_catalogue.catalogue import SUBJECTS
from backend.common.problem_catalogue.entry import ProblemEntry
from tests.support.catalogue_page import page

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "problems.md"
HEAD = """# Problem codes

For operators and authors of API clients. You look up the `code` of an error answer and read what to do.

Every error of the API is a problem document (RFC 9457, `application/problem+json`). `title` and `code` are those below,
`detail` is the sentence for this case, and `errors` names fields. `request_id` leads to the line of the server log.
A refused plan is an answer, not an error: its [findings](findings.md) give the reasons.

This page is written by `python -m tests.backend.common.problem_page` from `backend/common/problem_catalogue`. A test
fails where it is out of date.
"""


def written() -> str:
    """The page as it must be."""
    return page(HEAD, SUBJECTS, _statuses)


def _statuses(entry: ProblemEntry) -> str:
    return f"HTTP status {' or '.join(map(str, entry.statuses))}."


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
