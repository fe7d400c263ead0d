"""The verification of a run in its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.core.documents.model import Section, bullets, paragraph
from backend.core.plural import pluralize

Shown = Mapping[str, Any]


def verification_section(verification: Shown | None) -> Section:
    """The verdict, and each check behind it."""
    if verification is None:
        return Section("Verification", (paragraph("Not reached."),))
    items = [*_replication(verification), *_left(verification)]
    return Section("Verification", (paragraph(f"{verification['verdict']}."), *([bullets(items)] if items else [])))


def _replication(verification: Shown) -> Iterator[str]:
    for probe in verification["probes"]:
        seen = ", ".join(f"{s['node']} {_arrival(s['ms'])}" for s in probe["seen_on"])
        yield f"Probe {probe['direction']}, written on {probe['written_on']}: {seen}"
    for seam in verification["continuity"]:
        verdict = "equal" if seam["equal"] else "DIFFERENT"
        compared = pluralize(seam["groups_compared"], "transaction")
        yield f"Continuity check {seam['direction']} on {seam['node']}: {compared} compared, {verdict}"
    if verification["not_probed_reason"]:
        yield f"Not probed: {verification['not_probed_reason']}"


def _arrival(ms: float | None) -> str:
    return "not arrived" if ms is None else f"{ms:.0f} ms"


def _left(verification: Shown) -> Iterator[str]:
    yield from (f"Stray channel: {name}" for name in verification["stray_channels"])
    yield from (f"To be cleaned up once reachable: {name}" for name in verification["cleanup_pending"])
    for channel in verification.get("removed_channels", ()):
        gtid = "unknown" if channel["gtid"] is None else f"`{channel['gtid']}`"
        yield (
            f"Removed: the {channel['direction']} channel `{channel['name']}` on {channel['node']} from "
            f"{channel['source_name']}. It stopped at `{channel['file']}` {channel['position']}, gtid_slave_pos {gtid}"
        )
