"""The steps of a run in its report, with every statement and its outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from backend.core.documents.model import Block, Section, code, paragraph
from backend.core.reports.shared import exact_time_text

Shown = Mapping[str, Any]


def steps_section(steps: Iterable[Shown]) -> Iterator[Section]:
    """A section for all steps, and one within it for each."""
    yield Section("Steps of the run", ())
    for step in steps:
        where = f" on {step['node']}" if step["node"] else ""
        yield Section(f"{step['index'] + 1}. {step['title']}{where}: {step['state']}", tuple(_blocks(step)), depth=2)


def _blocks(step: Shown) -> Iterator[Block]:
    crash = " Found done after a crash; nothing was sent twice." if step["observed_after_crash"] else ""
    yield paragraph(
        f"{exact_time_text(step['started_at'])} to {exact_time_text(step['ended_at'])}. {step['outcome']}{crash}"
    )
    for statement in step["statements"]:
        yield from _statement(statement)


def _statement(statement: Shown) -> Iterator[Block]:
    took = "" if statement["duration_ms"] is None else f", {statement['duration_ms']:.0f} ms"
    who = f"{statement['node']}, session {statement['connection_id']}"
    yield paragraph(f"{exact_time_text(statement['sent_at'])} {who}: {statement['state']}{took}")
    yield code("sql", f"{statement['sql'].rstrip(';')};")
    yield from (paragraph(f"Warning: {text}") for text in statement["warnings"])
    if statement["error"]:
        yield paragraph(f"Error: {statement['error']}")
