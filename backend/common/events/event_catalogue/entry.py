"""What the catalogue says of one event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from backend.common.documented_field import DocumentedField
from backend.core.findings import Severity


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One event name of the stream. `example` is the `data` of one event, as it is sent."""

    name: str
    sent_when: str
    stored_for: str
    fields: tuple[DocumentedField, ...] = ()
    example: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EventKind:
    """One `kind` of an `event.raised`. `run_id` and `actor` say what these fields hold; blank means null."""

    kind: str
    severities: tuple[Severity, ...]
    sent_when: str
    message: str
    run_id: str = ""
    actor: str = ""
    is_of_console: bool = False
