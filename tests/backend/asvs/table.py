"""The whole table, in the order of the standard."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

from tests.backend.asvs.row import Row

CHAPTERS: Final = {
    1: "Architecture",
    2: "Authentication",
    3: "Sessions",
    4: "Access control",
    5: "Validation and encoding",
    6: "Cryptography at rest",
    7: "Errors and logging",
    8: "Data protection",
    9: "Communication",
    10: "Malicious code",
    11: "Business logic",
    12: "Files",
    13: "API",
    14: "Configuration",
}
ITEMS: Final = tuple(Path(__file__).with_name("items.txt").read_text().split())
"""The numbers of all items of level 2."""


def rows_of(chapter: int) -> tuple[Row, ...]:
    """The items of a chapter."""
    return tuple(import_module(f"tests.backend.asvs.chapter_{chapter:02}").ROWS)


ROWS: Final = tuple(row for chapter in CHAPTERS for row in rows_of(chapter))
