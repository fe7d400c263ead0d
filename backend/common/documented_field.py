"""One field of an event or of an audit record, as the reference describes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DocumentedField:
    """The name of a field, its JSON type with its unit, and its meaning."""

    name: str
    type: str
    meaning: str
