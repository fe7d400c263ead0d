"""The reference of events: `python -m tests.backend.common.event_page` writes docs/reference/events.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from backend.common.events.event_catalogue.catalogue import STREAM, SUBJECTS
from backend.common.events.event_catalogue.entry import EventKind, StreamEvent
from tests.support.catalogue_page import field_table, page_of

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "events.md"
HEAD = """# Events

For engineers who write a client of the live stream or a receiver of webhooks. You look up when an event is sent and
what its fields hold.

The stream sends [event names](#event-names) as Server-Sent Events; [how to follow it](api.md#events) is in the API
reference. A webhook of phase `event` receives every `event.raised` of its link, and those of the console as a whole, in
the body that [Webhooks](../how-to/webhooks.md#what-a-receiver-gets) describes: `kind` and `message` stand there as
`kind` and `summary`. Its `kinds` are beginnings of the kinds below (every section after the
first). The calls of phase `before` and `after` are no events: they are steps of a run. A
[destination](../how-to/destinations.md) gets the same events as text.

An event says that something changed. Its `message` is for people; a client goes by `kind` and reads the link or the run
for its state. Where an event tells the end of something, its [audit action](audit-actions.md) has the facts.

This page is written by `python -m tests.backend.common.event_page` from `backend/common/events/event_catalogue`. A test
fails where it is out of date.
"""
NAMES = "Event names"


def written() -> str:
    """The page as it must be."""
    sections: dict[str, Sequence[StreamEvent | EventKind]] = {NAMES: STREAM, **SUBJECTS}
    return page_of(HEAD, sections, _lines)


def _lines(entry: StreamEvent | EventKind) -> Iterator[str]:
    yield from _stream_lines(entry) if isinstance(entry, StreamEvent) else _kind_lines(entry)
    yield ""


def _stream_lines(entry: StreamEvent) -> Iterator[str]:
    yield from (f"### `{entry.name}`", "", f"{entry.sent_when} It is {entry.stored_for}.", "")
    if entry.fields:
        yield from (*field_table(entry.fields), "")
    yield from ("```text", *_frame(entry), "```")


def _frame(entry: StreamEvent) -> Iterator[str]:
    """The event as it is sent."""
    if entry.fields:
        yield "id: 4711"
    yield f"event: {entry.name}"
    yield f"data: {json.dumps(entry.example, ensure_ascii=False, separators=(',', ':'))}"


def _kind_lines(entry: EventKind) -> Iterator[str]:
    severities = " or ".join(f"`{severity.value}`" for severity in entry.severities)
    yield from (f'<a id="{entry.kind}"></a>', "", f"### `{entry.kind}`", "")
    yield entry.sent_when
    yield ""
    yield f"- `severity`: {severities}"
    if entry.is_of_console:
        yield "- `link_id`: empty; every webhook receives it"
    if entry.run_id:
        yield f"- `run_id`: {entry.run_id}"
    if entry.actor:
        yield f"- `actor`: {entry.actor}"
    yield f"- Example of `message`: {entry.message}"


if __name__ == "__main__":
    PAGE.write_text(written(), encoding="utf-8")
