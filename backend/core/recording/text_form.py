"""An answer as the text of its file: columns by tab, rows by line, as clients print in batch mode."""

from __future__ import annotations

from collections.abc import Sequence

from backend.core.dialects.base import Row

NULL = r"\N"
_ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r", "\0": r"\0"})


def text_of(rows: Sequence[Row]) -> str:
    """The file; empty where the answer has no row, because the names of columns come with the first."""
    if not rows:
        return ""
    names = list(rows[0])
    lines = [names, *([_field(row[name]) for name in names] for row in rows)]
    return "".join("\t".join(line) + "\n" for line in lines)


def _field(value: object) -> str:
    return NULL if value is None else str(value).translate(_ESCAPES)
