"""Reports retired idioms in prose: comments, docstrings and texts of Python and TypeScript code, and Markdown pages.

`vocabulary.toml` lists the idioms and what replaces each. Identifiers are checked by `deploy.testrun.vocabulary`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILES = (
    "*.md",
    "docs/**/*.md",
    "backend/**/*.py",
    "deploy/**/*.py",
    "tests/**/*.py",
    "tests/**/*.ts",
    "frontend/src/**/*.ts",
    "frontend/src/**/*.tsx",
    "frontend/mock-api/**/*.ts",
)
GENERATED = frozenset({"migrations", "generated"})
BETWEEN_WORDS = r"(?:[\s#>\"'`*/+]|\bf(?=[\"']))+"
"""A sentence may continue in the next line: behind a comment sign, a sign of quotation, or in the next literal."""


@dataclass(frozen=True, slots=True)
class Idiom:
    """A retired idiom: the expression that finds it, its replacement and the paths that may use it."""

    pattern: re.Pattern[str]
    say: str
    allowed_in: tuple[str, ...] = ()

    def applies(self, path: Path) -> bool:
        """Whether the idiom is retired in that file."""
        return not any(path.is_relative_to(allowed) for allowed in self.allowed_in)


@dataclass(frozen=True, slots=True)
class ProseHit:
    """A retired idiom in use."""

    path: Path
    line: int
    found: str
    say: str

    def __str__(self) -> str:
        """The hit as one line that editors can follow."""
        return f"{self.path}:{self.line}: retired idiom '{self.found}'; say '{self.say}'"


def read_idioms(text: str) -> list[Idiom]:
    """The idioms of a word list, each with the exceptions that name it; an exception without a pattern is for all."""
    data = tomllib.loads(text)
    exceptions = data.get("idiom_exceptions", [])
    patterns = {entry["pattern"] for entry in data.get("idioms", [])}
    for exception in exceptions:
        if exception.get("pattern", "") not in {"", *patterns}:
            raise KeyError(exception["pattern"])
    return [_idiom(entry, exceptions) for entry in data.get("idioms", [])]


def _idiom(entry: dict[str, Any], exceptions: list[dict[str, Any]]) -> Idiom:
    """One entry of the word list; a blank in its pattern also matches a line break within a comment or text."""
    pattern = re.compile(entry["pattern"].replace(" ", BETWEEN_WORDS), re.IGNORECASE)
    allowed = (item["path"] for item in exceptions if item.get("pattern", entry["pattern"]) == entry["pattern"])
    return Idiom(pattern, entry["say"], tuple(allowed))


def prose_files(root: Path) -> Iterator[Path]:
    """The files under `root` whose prose is checked, relative to it, without generated ones."""
    for pattern in FILES:
        for path in sorted(root.glob(pattern)):
            relative = path.relative_to(root)
            if GENERATED.isdisjoint(relative.parts):
                yield relative


def find_idioms(root: Path, idioms: Sequence[Idiom]) -> list[ProseHit]:
    """Every use of a retired idiom under `root`, by path and line."""
    hits = [hit for path in prose_files(root) for hit in hits_in(path, (root / path).read_text(), idioms)]
    return sorted(hits, key=lambda hit: (hit.path, hit.line))


def hits_in(path: Path, text: str, idioms: Iterable[Idiom]) -> Iterator[ProseHit]:
    """The retired idioms in the text of one file."""
    for idiom in idioms:
        if idiom.applies(path):
            for match in idiom.pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield ProseHit(path, line, " ".join(match[0].split()), idiom.say)
