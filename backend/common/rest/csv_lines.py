"""Lines of comma-separated values that no spreadsheet executes."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any, Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_line(values: Iterable[Any]) -> str:
    """One line with its line end."""
    out = io.StringIO()
    csv.writer(out).writerow([harmless(value) for value in values])
    return out.getvalue()


def harmless(value: Any) -> Any:
    """Spreadsheets execute text that begins like a formula, also after blanks; a leading quote prevents that."""
    is_formula = isinstance(value, str) and (value.startswith(_FORMULA) or value.lstrip().startswith(_FORMULA))
    return f"'{value}" if is_formula else value
