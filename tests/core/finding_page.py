"""The reference of finding codes: `python -m tests.core.finding_page` writes docs/reference/findings.md."""

from __future__ import annotations

from pathlib import Path

from backend.core.finding_catalogue.catalogue import SUBJECTS
from backend.core.finding_catalogue.entry import FindingEntry
from tests.support.catalogue_page import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "findings.md"
HEAD = """# Finding codes

For operators and DBAs. You look up the `code` of a finding and read what it means and what to do.

A finding is the result of a check. It appears in a plan, on the page of a link, or in the inspection of a cluster.
Its `message` and `remedy` name the nodes and values of the case; this page explains the code.

A finding never changes a server. What its severity does:

| severity | in a plan | on the page of a link |
|---|---|---|
| `blocker` | refuses the plan: nothing is sent | replication or protection is interrupted or at risk |
| `unknown` | refuses the plan: a fact is unknown, and Hawser does not guess | the state cannot be determined |
| `warning` | allows the plan: read it before you confirm | needs attention, not at once |
| `info`, `ok` | allows the plan | nothing to do |

Errors of the API have [codes of their own](problems.md).

This page is written by `python -m tests.core.finding_page` from `backend/core/finding_catalogue`. A test fails where
it is out of date.
"""


def written() -> str:
    """The page as it must be."""
    return page(HEAD, SUBJECTS, _severities)


def _severities(entry: FindingEntry) -> str:
    return f"Severity: {' or '.join(severity.value for severity in entry.severities)}."


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
