"""The part of a readiness report about the configuration: advice that is open, and what was dismissed and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from backend.core.documents.model import Block, paragraph, table
from backend.core.reports.shared import day_text, time_text

Shown = Mapping[str, Any]
_UNKNOWN: Final = "The configuration of the nodes is unknown, so whether there is advice is unknown."


def advice_blocks(found: Shown | None) -> Iterator[Block]:
    """Open advice, then dismissed advice; nodes that were not read are named first."""
    if found is None:
        yield paragraph(_UNKNOWN)
        return
    yield paragraph(f"As of {time_text(found['read_at'])}, not of the period.")
    if found["unread"]:
        nodes = ", ".join(found["unread"])
        yield paragraph(f"Unknown: {nodes}. Their configuration was not read lately, and advice may be missing.")
    if found["open"]:
        rows = [(one["risk"], one["subject"], one["fact"], one["remedy"]) for one in found["open"]]
        yield table(("risk", "of", "fact", "remedy"), rows)
    else:
        yield paragraph("No advice is open on what was read.")
    if found["dismissed"]:
        yield table(
            ("dismissed advice", "of", "by", "until", "reason"),
            [
                (one["fact"], one["subject"], one["by"], day_text(one["expires_at"]), one["reason"])
                for one in found["dismissed"]
            ],
        )
