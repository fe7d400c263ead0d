"""The declared table of calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from backend.common.roles import Permission

TABLE = Path(__file__).parents[1] / "api" / "access_table.txt"
UNKNOWN = "x_aaaaaaaaaaaa"


@dataclass(frozen=True, slots=True)
class Row:
    """A call, the permission that it needs (None: public), where, and what a session must have for it."""

    method: str
    path: str
    needed: Permission | None
    where: str
    marks: frozenset[str]

    def address(self, objects: dict[str, str]) -> str:
        """The path with the ids of these objects; what is not among them is unknown."""
        root = "" if self.path.startswith("/") else "/api/v1/"
        return root + re.sub(r"<(\w+)>", lambda match: objects.get(match[1], UNKNOWN), self.path)


def address_in_table(path: str) -> str:
    """A path of the URL map as `access_table.txt` has it."""
    path = path.replace("str:", "")
    return path.removeprefix("api/v1/") if path.startswith("api/v1/") else f"/{path}"


def rows() -> Iterator[Row]:
    """The declared table."""
    for line in TABLE.read_text().splitlines():
        if not line.startswith("#"):
            method, path, needed, where, *marks = line.split()
            yield Row(method, path, None if needed == "-" else Permission(needed), where, frozenset(marks))
