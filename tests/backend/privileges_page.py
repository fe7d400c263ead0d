"""The table of grants on the page of privileges: `python -m tests.backend.privileges_page` writes it from the code."""

from __future__ import annotations

from backend.core.dialects import MARIADB_NEEDS as NEEDS
from backend.core.dialects.needs import Need
from deploy.services.process import ROOT

PAGE = ROOT / "docs/reference/privileges.md"
_BEGIN, _END = "a test fails where it is out of date -->\n", "<!-- end -->"


def written() -> str:
    """The page as it must be."""
    head, _, rest = PAGE.read_text().partition(_BEGIN)
    table = ["| account | privilege | used for | without it | finding |", "|---|---|---|---|---|", *map(_row, NEEDS)]
    return "\n".join([f"{head}{_BEGIN}", *table, f"\n{_END}{rest.partition(_END)[2]}"])


def _row(need: Need) -> str:
    privileges = ", ".join(f"`{name}`" for name in need.privileges)
    on = f" on `{need.on.replace('`', '')}`" if need.schema else ""
    return f"| {need.role} | {privileges}{on} | {need.used_for} | {need.without} | `{need.code}` |"


if __name__ == "__main__":
    PAGE.write_text(written())
