"""What was read from the last answers over one connection, used again for rows that are the same objects as then.

`results` gives the same row where its bytes are the same. Nothing is kept past the connection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from backend.core.dialects import Dialect, dialect_to_watch, flavor_of
from backend.core.dialects.rows import text_in
from backend.core.dialects.tested_versions import HIDDEN
from backend.core.ports import Row

T = TypeVar("T")
Pairs = Mapping[str, str]
_DECIDING = frozenset({"version", "version_comment", "wsrep_on", "wsrep_provider_options", *HIDDEN})
"""Settings that decide how the others are read."""


@dataclass(frozen=True, slots=True)
class Settings:
    """A server's family, version and settings, and how it is read."""

    flavor: str
    version: str
    dialect: Dialect
    variables: Pairs

    def with_moved(self, moved: Pairs) -> Settings:
        """The same server with these settings; `replace` of dataclasses takes three times as long."""
        return Settings(self.flavor, self.version, self.dialect, {**self.variables, **moved})


class Readings:
    """By statement; what is given is never changed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Any, Any]] = {}

    def of(self, name: str, given: T, read: Callable[[T], Any]) -> Any:
        """What `read` makes of what is given; what it made of it before, while it is the same object."""
        known = self._known.get(name)
        if known is not None and known[0] is given:
            return known[1]
        found = read(given)
        self._known[name] = given, found
        return found

    def settings(self, rows: Sequence[Row]) -> Settings:
        """From the settings; raises KeyError or DialectError."""
        known: tuple[Sequence[Row], Settings] | None = self._known.get("settings")
        moved = None if known is None else _moved(known[0], rows, known[1].variables)
        if known is None or moved is None:
            found = _settings(rows)
        else:
            found = known[1].with_moved(moved) if moved else known[1]
        self._known["settings"] = rows, found
        return found

    def pairs(self, name: str, rows: Sequence[Row], read: Callable[[Sequence[Row]], Pairs]) -> Pairs:
        """Names and values, of which those in changed rows alone are read."""
        known: tuple[Sequence[Row], Pairs] | None = self._known.get(name)
        moved = None if known is None else _moved(known[0], rows, known[1])
        found = read(rows) if known is None or moved is None else {**known[1], **moved}
        self._known[name] = rows, found
        return found


def _settings(rows: Sequence[Row]) -> Settings:
    shown = {str(row["Variable_name"]).lower(): str(row["Value"]) for row in rows}
    version, flavor = shown["version"], flavor_of(shown)
    dialect = dialect_to_watch(flavor, version)
    return Settings(flavor, version, dialect, dialect.parse_variables(rows))


def _moved(before: Sequence[Row], rows: Sequence[Row], values: Pairs) -> dict[str, str] | None:
    """The values of the rows that changed; None where other names came, or one whose value is not its row's text."""
    found: dict[str, str] = {}
    if before is rows:
        return found
    if len(before) != len(rows):
        return None
    for one, other in zip(before, rows, strict=True):
        if one is other:
            continue
        name = text_in(other, "Variable_name")
        key = name.lower()
        if name != text_in(one, "Variable_name") or key in _DECIDING or values.get(key) != text_in(one, "Value"):
            return None
        found[key] = text_in(other, "Value")
    return found
