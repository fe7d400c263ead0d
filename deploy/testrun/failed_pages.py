"""What a page showed when its browser test failed: a run on another machine leaves its output alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_LINES = 30
_SNAPSHOT = re.compile(r"^```yaml\n(.*?)^```$", re.M | re.S)
"""Below a heading of its own, or within the details of an expectation that was not met."""
_SAYS = re.compile(r"- (alert|alertdialog|dialog|heading|status|textbox)\b")
_REFERENCE = re.compile(r" \[(ref=\w+|cursor=\w+)\]")


def shown_lines(context: str) -> list[str]:
    """Headings, fields and whatever speaks up in the snapshot that Playwright takes of a failed test's page.

    One sentence where it took none, or where the page was empty.
    """
    found = _SNAPSHOT.search(context)
    if found is None:
        return ["no snapshot of the page"]
    return list(_messages(found[1]))[:MOST_LINES] or ["nothing on the page"]


def _messages(snapshot: str) -> Iterator[str]:
    """Each such element, and the text within an alert or a dialog."""
    within = -1
    for line in snapshot.splitlines():
        depth = len(line) - len(line.lstrip())
        if depth <= within:
            within = -1
        found = _SAYS.search(line)
        if found is None and within < 0:
            continue
        if found is not None and within < 0 and found[1] in ("alert", "alertdialog", "dialog"):
            within = depth
        yield _REFERENCE.sub("", line.strip())
