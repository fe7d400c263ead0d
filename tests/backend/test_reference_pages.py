"""Reference pages that are made from the code, or have to name all of it."""

from __future__ import annotations

import re

from deploy.services.process import ROOT
from tests.backend import commands_page


def test_commands__of_our_own__are_on_the_page_as_they_are() -> None:
    assert commands_page.PAGE.read_text() == commands_page.page()


def test_metrics__that_are_served__are_on_the_page() -> None:
    page = (ROOT / "docs/how-to/monitor-and-alert.md").read_text()
    named = re.findall(r"^\| `(hawser_\w+)` \|", page, re.MULTILINE)
    served = re.findall(r'"(hawser_\w+)"', (ROOT / "backend/api/metrics.py").read_text())
    assert sorted(named) == sorted(set(served))
    assert set(re.findall(r"\bhawser_\w+(?=[{\s])", page.partition("```yaml")[2])) <= set(served)
