"""Masks secrets in SQL: `{{secret:NAME}}` in plans and when sent, `***` wherever it is shown or stored.

Only operators see rows of applications, which the replay and the undo of orphaned transactions send.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

_MARK = re.compile(r"\{\{secret:[^}]*\}\}")
MASK = "***"
ROWS_MASK = "-- rows of applications: only operators see them"


def masked(sql: str) -> str:
    """One statement, masked."""
    return _MARK.sub(MASK, sql)


def all_masked(statements: Iterable[str]) -> list[str]:
    """Several statements, masked."""
    return [masked(sql) for sql in statements]


def rows_masked(statements: Iterable[str]) -> list[str]:
    """As many lines as statements, none of them with a row."""
    return [ROWS_MASK for _ in statements]


_HIDDEN: dict[str, object] = {"values": {}, "row": ""}
"""The fields of a conflict that reveal a row, and their masks. A row's name is a guessable digest of its key."""


def values_masked(shown: Any) -> Any:
    """The findings or the situation of a plan without the rows that conflicts quote."""
    if isinstance(shown, list):
        return [values_masked(one) for one in shown]
    if isinstance(shown, dict):
        return {key: _HIDDEN[key] if key in _HIDDEN else values_masked(value) for key, value in shown.items()}
    return shown
