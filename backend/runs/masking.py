"""Secrets in SQL: `{{secret:NAME}}` while planned and sent, `***` wherever it is shown or stored."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARK = re.compile(r"\{\{secret:[^}]*\}\}")
MASK = "***"


def masked(sql: str) -> str:
    """One statement as shown."""
    return _MARK.sub(MASK, sql)


def all_masked(statements: Iterable[str]) -> list[str]:
    """Several statements as shown."""
    return [masked(sql) for sql in statements]
