"""The parts of a document. Every rendering shows all of them, in this order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class BlockType(StrEnum):
    """What a block is; a rendering that does not know a type must fail."""

    PARAGRAPH = "paragraph"
    FACTS = "facts"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Fact:
    """A name with its value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a section; fields that its type does not use are empty."""

    type: BlockType
    text: str = ""
    facts: tuple[Fact, ...] = ()
    items: tuple[str, ...] = ()
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its blocks; depth 2 is a section within the one before it."""

    heading: str
    blocks: tuple[Block, ...]
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Document:
    """A report as it is shown and printed."""

    title: str
    lead: tuple[str, ...]
    sections: tuple[Section, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def paragraph(text: str) -> Block:
    """A paragraph."""
    return Block(BlockType.PARAGRAPH, text=text)


def facts(*pairs: tuple[str, object]) -> Block:
    """Names with their values."""
    return Block(BlockType.FACTS, facts=tuple(Fact(name, str(value)) for name, value in pairs))


def bullets(items: Iterable[str]) -> Block:
    """A list."""
    return Block(BlockType.LIST, items=tuple(items))


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Block:
    """A table with its header, whose words begin with a capital letter."""
    names = tuple(f"{name[:1].upper()}{name[1:]}" for name in header)
    return Block(BlockType.TABLE, header=names, rows=tuple(tuple(str(cell) for cell in row) for row in rows))


def code(language: str, text: str) -> Block:
    """Text to be shown as it is."""
    return Block(BlockType.CODE, text=text, language=language)
