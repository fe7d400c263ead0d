"""Splits a statement into tokens as a server without special SQL modes does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


class UnsupportedChangeError(Exception):
    """A statement that cannot be parsed to its last word, or has no inverse; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a quoted name, a text, a number or a sign; `word` is upper case, empty where it cannot be a keyword."""

    kind: str
    text: str

    @property
    def word(self) -> str:
        """The token as a keyword."""
        return self.text.upper() if self.kind == "word" else ""


_TOKEN = re.compile(
    r"""(?P<space>\s+|--(?=[\s\x00-\x1f]|$)[^\n]*|\#[^\n]*|/\*(?!M?!).*?\*/)
    |(?P<name>`(?:[^`]|``)+`)
    |(?P<text>'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|""|\\.)*")
    |(?P<number>\d+(?:\.\d*)?(?![\w$]))
    |(?P<word>[\w$]+)
    |(?P<sign>[(),.=+\-<>!*%&|^~]|/(?!\*))""",
    re.VERBOSE | re.DOTALL,
)


def tokens_of(sql: str) -> list[Token]:
    """All tokens; raises UnsupportedChangeError for anything else (executable comments, several statements)."""
    return list(_tokens(sql.rstrip().rstrip(";")))


def _tokens(sql: str) -> Iterator[Token]:
    at = 0
    while at < len(sql):
        found = _TOKEN.match(sql, at)
        if found is None:
            raise UnsupportedChangeError(f"it cannot be parsed from {sql[at : at + 20]!r} on")
        at = found.end()
        kind = str(found.lastgroup)
        if kind == "space":
            continue
        text = found.group()
        yield Token(kind, text[1:-1].replace("``", "`") if kind == "name" else text)
