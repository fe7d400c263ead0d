"""A safety rule of the console itself, and the ordinary test that must turn red without it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OuterRule:
    """`text` states the rule in `module`, `without` stands there when it is out; `check` is `module::test`.

    `commits` where that test cannot be rolled back: it drops triggers, which commits on MariaDB.
    """

    name: str
    module: str
    text: str
    without: str
    check: str
    prevents: str
    commits: bool = False

    @property
    def tested_in(self) -> str:
        """Module of the ordinary test."""
        return self.check.partition("::")[0]

    @property
    def test(self) -> str:
        """Name of the ordinary test."""
        return self.check.partition("::")[2]
