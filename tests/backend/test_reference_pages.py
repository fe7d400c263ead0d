"""Reference pages that are made from the code, or have to name all of it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from deploy.services.process import ROOT
from tests.backend import commands_page

PAGES = [
    page
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    if "manage.py hawser_" in page.read_text()
]
_TYPED = re.compile(r"manage\.py (hawser_\w+)((?:\\\n|[^\n`#|<>])*)")


def test_commands__of_our_own__are_on_the_page_as_they_are() -> None:
    assert commands_page.PAGE.read_text() == commands_page.page()


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_commands__that_a_page_tells_to_type__are_accepted_by_their_parsers(page: Path) -> None:
    typed = _TYPED.findall(page.read_text())
    assert typed
    for name, arguments in typed:
        parser = load_command_class(str(get_commands()[name]), name).create_parser("manage.py", name)
        given = arguments.replace("\\\n", " ").rstrip(" )")
        parser.parse_args(shlex.split(given.rstrip('"') if given.count('"') % 2 else given))  # the end of sh -c "…"
