"""Parts that several reports have: times, loss, positions, findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from backend.core.documents.model import Block, Section, bullets, paragraph, table
from backend.core.plural import pluralize

Shown = Mapping[str, Any]


def exact_time_text(at: datetime | None) -> str:
    """A time in UTC as servers and steps have it; a dash where there is none."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f UTC") if at else "-"


def time_text(at: datetime) -> str:
    """A time in UTC to the second."""
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def day_text(at: datetime) -> str:
    """The day of a time in UTC."""
    return at.astimezone(UTC).strftime("%Y-%m-%d")


def loss_text(loss: Shown) -> str:
    """The loss that a plan states; of a lost side a lower bound."""
    count, at_least = loss.get("transactions"), loss.get("at_least")
    is_bound = loss.get("is_exact") is False
    if count is None:
        amount = f"at least {pluralize(at_least, 'transaction')}" if at_least else "unknown"
    else:
        amount = (
            f"at least {pluralize(count, 'transaction')}" if is_bound and count else pluralize(count, "transaction")
        )
        amount = "none known" if is_bound and count == 0 else amount
    seconds = "" if loss.get("seconds") is None else f", {loss['seconds']} s"
    return f"{amount}{seconds}. {loss.get('detail', '')}".strip()


def positions_table(positions: Iterable[Shown]) -> Block:
    """The positions of a plan with their proof."""
    rows = [
        (
            one["direction"],
            one["node_name"],
            f"`{one['file']}` {one['position']}" if one["file"] else "to be proven during the run",
            one.get("gtid") or "-",
            "unknown" if one["seqno"] is None else one["seqno"],
            _proof(one),
        )
        for one in positions
    ]
    return table(("direction", "node", "position", "GTID", "seqno", "proof"), rows)


def _proof(position: Shown) -> str:
    """A position proven while its channel ran was true at that moment only."""
    if not position["proven"]:
        return "NOT proven"
    return "proven while the channel ran" if position["provisional"] else "proven"


def findings_section(findings: Iterable[Shown]) -> Section:
    """Findings with their codes and remedies."""
    items = [_finding(finding) for finding in findings]
    return Section("Findings", (bullets(items) if items else paragraph("None."),))


def _finding(finding: Shown) -> str:
    remedy = f" Remedy: {finding['remedy']}" if finding["remedy"] else ""
    return f"{finding['severity']} {finding['code']}: {finding['message']}{remedy}"
