"""The table of settings in the documentation: `python -m tests.backend.config.page` writes it."""

from __future__ import annotations

from pathlib import Path

from backend.config.setting_table import ROOT, SETTINGS, Setting

PAGE = Path(__file__).parents[3] / "docs/reference/configuration.md"
BEGIN, END = "<!-- settings: begin -->", "<!-- settings: end -->"


def row(setting: Setting) -> str:
    """One line of the table."""
    default = setting.default.replace(f"{ROOT}/", "")
    needed = f"required by {', '.join(setting.required_by)}"
    stated = needed if setting.required_by else f"`{default}`" if default else ""
    return f"| `{setting.name}` | {setting.description} | {setting.kind.allowed} | {stated} |"


def page(current: str) -> str:
    """The page with the table that the code has now."""
    before, _, rest = current.partition(BEGIN)
    _, _, after = rest.partition(END)
    head = "| name | meaning | holds | default |\n|---|---|---|---|"
    return "\n".join([f"{before}{BEGIN}", head, *map(row, SETTINGS), f"{END}{after}"])


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
