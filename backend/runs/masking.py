"""Secrets in SQL: `{{secret:NAME}}` while planned and sent, `***` wherever it is shown or stored.

Rows of applications, which the replay and the undo of orphans send, are shown to operators only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_MARK = re.compile(r"\{\{secret:[^}]*\}\}")
MASK = "***"
ROWS_MASK = "-- rows of applications: operators see them"


def masked(sql: str) -> str:
    """One statement as shown."""
    return _MARK.sub(MASK, sql)


def all_masked(statements: Iterable[str]) -> list[str]:
    """Several statements as shown."""
    return [masked(sql) for sql in statements]


def rows_masked(statements: Iterable[str]) -> list[str]:
    """As many lines as statements, none of them with a row."""
    return [ROWS_MASK for _ in statements]


_HIDDEN: dict[str, object] = {"values": {}, "row": ""}
"""What a conflict tells of a row, and what stands for it: a row's name is a digest of its key, which can be guessed."""


def values_masked(shown: Any) -> Any:
    """A plan's findings or situation without the rows that its conflicts quote."""
    if isinstance(shown, list):
        return [values_masked(one) for one in shown]
    if isinstance(shown, dict):
        return {key: _HIDDEN[key] if key in _HIDDEN else values_masked(value) for key, value in shown.items()}
    return shown
