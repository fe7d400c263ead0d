"""What docs/reference/events.md says: the names of the stream, and the kinds of `event.raised`."""

from __future__ import annotations

import re
from typing import Final

from tests.support.reference_page import Entry, entries

NAMES: Final = "Event names"
STREAM: Final = tuple(entry for entry in entries("events.md") if entry.subject == NAMES)
KINDS: Final = tuple(entry for entry in entries("events.md") if entry.subject != NAMES)


def severities_of(entry: Entry) -> set[str]:
    """Those that an event of this kind can have."""
    return set(re.findall(r"`(\w+)`", entry.line("`severity`")))
