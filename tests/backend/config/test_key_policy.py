"""The page on keys says of each one when it is replaced and how it is destroyed."""

from __future__ import annotations

from backend.config.setting_kinds import Secret
from backend.config.setting_table import SETTINGS
from deploy.services.process import ROOT


def rows() -> dict[str, list[str]]:
    """The values of each key's row by its name."""
    page = (ROOT / "docs/how-to/rotate-keys.md").read_text()
    table = page.partition("<!-- keys: begin -->")[2].partition("<!-- keys: end -->")[0]
    lines = [[value.strip() for value in line.strip("| ").split("|")] for line in table.strip().splitlines()[2:]]
    return {one[0].strip("`"): one[1:] for one in lines}


def test_policy__every_secret_of_the_settings__has_its_times() -> None:
    assert set(rows()) == {one.name for one in SETTINGS if isinstance(one.kind, Secret)}
    for name, columns in rows().items():
        assert len(columns) == 4, name
        assert all(columns), name
        assert any(word in columns[1] for word in ("year", "days")), name
