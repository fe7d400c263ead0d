"""The table of data on the security page: what each application of the console keeps has a level."""

from __future__ import annotations

import re

from django.apps import apps

from deploy.services.process import ROOT

LEVELS = {"secret", "restricted", "internal", "public"}


def rows() -> list[list[str]]:
    """The cells of the table, without its head."""
    text = (ROOT / "docs/explanation/security.md").read_text()
    table = text.partition("<!-- data: begin -->\n")[2].partition("<!-- data: end -->")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_data__table_of_the_page__has_every_application_with_tables() -> None:
    ours = {model._meta.app_label for model in apps.get_models() if model.__module__.startswith("backend.")}
    named = {name for row in rows() for name in re.findall(r"`(\w+)`", row[1])}
    assert ours <= named, ours - named


def test_data__each_row__has_a_level_a_protection_and_a_time() -> None:
    assert rows()
    assert all(len(row) == 5 and all(row) and row[2] in LEVELS for row in rows())
