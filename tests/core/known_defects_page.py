"""The page of known defects: `python -m tests.core.known_defects_page` writes docs/reference/known-defects.md."""

from __future__ import annotations

from pathlib import Path

from backend.core.dialects.known_defects import DEFECTS, Defect, release_of
from backend.core.dialects.known_defects import written as release_text
from backend.core.dialects.tested_versions import TESTED
from backend.core.facts.known_defects import fixed_in

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "known-defects.md"
HEAD = """# Known defects of servers

For DBAs who choose a release. Hawser shows a defect on the page of a link, and in each plan, where a node runs a
release that has it and the defect touches the link: finding [`known_defect`](findings.md#known_defect). One of them
refuses a move by GTID ([`gtid_release_unfit`](findings.md#gtid_release_unfit)).

On releases with MDEV-40298 no session of the console reads the channels of a node from the moment a run has stored a
statement on them until its outcome is stored, or for three minutes where it got no answer; the last known ones are
shown. The run waits half a second before it sends the statement, so that a poll that is under way ends. Other
monitoring tools have to be stopped by hand.

They are taken from trackers and release notes; none was tried here. A series between the named ones has a defect where
the fix came later. An older series without a fix named stays as it is.

This page is written by `python -m tests.core.known_defects_page` from `backend/core/dialects/known_defects.py`. A test
fails where it is out of date.

| defect | product | from | fixed in | concerns | effect | what to do | tested releases with it |
|---|---|---|---|---|---|---|---|
"""


def written() -> str:
    """The page as it must be."""
    return HEAD + "".join(map(_row, DEFECTS))


def _row(one: Defect) -> str:
    came = ", ".join(release_text(release) for _, release in sorted(one.came.items())) or "the first"
    texts = TESTED.values()
    releases = {text: release_of(text) for text in texts}
    tested = [text for text, release in releases.items() if release and not one.is_of_provider and one.is_in(release)]
    shown = "26.4.18, 26.4.23" if one.is_of_provider else ", ".join(tested)
    cells = (one.id, one.product, came, fixed_in(one), one.concerns.value, one.effect, one.remedy, shown)
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
