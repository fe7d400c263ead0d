"""A document as Markdown. Values are one line each and bring no markup of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from backend.core.documents.model import Block, BlockType, Document, Section

_SPECIAL: Final = re.compile(r"([*\[\]|])")


def to_markdown(document: Document) -> str:
    """The whole document."""
    return "\n".join(_document(document)) + "\n"


def _document(document: Document) -> Iterator[str]:
    yield f"# {one_line(document.title)}"
    for text in document.lead:
        yield f"\n{one_line(text)}"
    for section in document.sections:
        yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    yield f"\n{'#' * (section.depth + 1)} {one_line(section.heading)}"
    for block in section.blocks:
        yield ""
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block.type:
        case BlockType.PARAGRAPH:
            yield one_line(block.text)
        case BlockType.FACTS:
            yield from (f"- {one_line(fact.name)}: {one_line(fact.value)}" for fact in block.facts)
        case BlockType.LIST:
            yield from (f"- {one_line(item)}" for item in block.items)
        case BlockType.TABLE:
            yield _row(block.header)
            yield _row(["---"] * len(block.header), is_rule=True)
            yield from (_row(row) for row in block.rows)
        case BlockType.CODE:
            yield from _fenced(block)


def _row(values: list[str] | tuple[str, ...], *, is_rule: bool = False) -> str:
    return "| " + " | ".join(cell if is_rule else one_line(cell) for cell in values) + " |"


def _fenced(block: Block) -> Iterator[str]:
    """The fence is longer than any within the text."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
    yield f"{fence}{block.language}\n{block.text}\n{fence}"


def one_line(value: str) -> str:
    """The value on one line, without emphasis, links, HTML or table cells of its own."""
    return _SPECIAL.sub(r"\\\1", " ".join(value.split())).replace("<", "&lt;")
