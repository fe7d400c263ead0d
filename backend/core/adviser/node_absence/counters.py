"""Running totals of a cluster's write-sets, over restarts of the server that counts them.

A server's counters begin at zero when it starts. The totals grow only by what was counted between two readings of one
running server; a reading after a restart adds nothing, and its time does not count as covered.
"""

from __future__ import annotations

from dataclasses import dataclass

from backend.core.topology import WriteSetCounters


@dataclass(frozen=True, slots=True)
class Totals:
    """Write-sets and bytes counted until `at_s` (Unix time) within `covered_s` seconds, and the last raw reading.

    `own_bytes` is the part that the server replicated itself: its own writes, and those of a channel that it applies.
    """

    at_s: float
    raw: WriteSetCounters
    write_sets: int = 0
    bytes: int = 0
    own_bytes: int = 0
    covered_s: float = 0.0


def advanced(before: Totals | None, raw: WriteSetCounters, at_s: float) -> Totals:
    """The totals with one more reading; any counter that fell tells of a restart, as does a clock that went back."""
    if before is None:
        return Totals(at_s, raw)
    last = before.raw
    grown = (
        raw.replicated - last.replicated,
        raw.replicated_bytes - last.replicated_bytes,
        raw.received - last.received,
        raw.received_bytes - last.received_bytes,
    )
    passed_s = at_s - before.at_s
    if min(grown) < 0 or passed_s <= 0:
        return Totals(at_s, raw, before.write_sets, before.bytes, before.own_bytes, before.covered_s)
    return Totals(
        at_s,
        raw,
        before.write_sets + grown[0] + grown[2],
        before.bytes + grown[1] + grown[3],
        before.own_bytes + grown[1],
        before.covered_s + passed_s,
    )
