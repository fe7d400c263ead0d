"""The readiness report of a link for auditors: recovery time and point achieved, rehearsals, readiness, exceptions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from backend.core.documents.model import Block, Document, Section, facts, paragraph, table
from backend.core.history.times import short
from backend.core.plural import pluralize
from backend.core.reports.readiness_advice import advice_blocks
from backend.core.reports.readiness_proof import proof_blocks
from backend.core.reports.shared import day_text, time_text

Shown = Mapping[str, Any]
_TIME: Final = (
    "The recovery time runs from the confirmation of the run to its verified result. It includes the wait for an "
    "approval, and not the time until the failure was noticed."
)
_READY: Final = (
    "Ready: the standby side received data, and Hawser observed that a failover was possible. Unknown: facts were "
    "unknown, or no monitor was running, or the time was before this was measured."
)
_MISSED: Final = (
    "Missed: the schedule demanded a rehearsal and none of the kind took place within its interval and an hour. "
    "Rehearsals that maintenance or an unfinished run prevented are missed, too."
)


def readiness_report(found: Shown) -> Document:
    """The report of facts as `readiness_facts` makes them."""
    period = f"{day_text(found['since'])} to {day_text(found['until'])}"
    return Document(
        f"Readiness report: {found['link_name']}, {period}",
        tuple(_lead(found)),
        (
            Section("Period", (_period(found),)),
            Section("Recovery time achieved", (paragraph(_TIME), _times(found["recovery_time"]))),
            Section("Recovery point achieved", (_points(found["recovery_point"]),)),
            Section("Rehearsals", (paragraph(_MISSED), _rehearsals(found["rehearsals"]))),
            Section("Readiness", (paragraph(_READY), _days(found["availability"]))),
            Section("Standing proof", tuple(proof_blocks(found["proof"]))),
            Section("Exceptions", (_exceptions(found["exceptions"]),)),
            Section("Advice", tuple(advice_blocks(found["advice"]))),
            Section("Switches", tuple(_switches(found["switches"]))),
        ),
    )


def _lead(found: Shown) -> Iterator[str]:
    ended = [one for one in found["switches"] if one["state"] == "succeeded"]
    switches = pluralize(len(found["switches"]), "switch", "switches")
    yield f"{switches} of {found['link_name']}, {len(ended)} succeeded. {_exceptions_count(found)}"


def _exceptions_count(found: Shown) -> str:
    count = len(found["exceptions"])
    return f"{pluralize(count, 'exception')} to the rules." if count else "No exception to the rules was recorded."


def _period(found: Shown) -> Block:
    return facts(
        ("Link", f"{found['link_name']} ({found['link_id']})"),
        ("From", time_text(found["since"])),
        ("To", time_text(found["until"])),
    )


def _times(rows: Sequence[Shown]) -> Block:
    if not rows:
        return paragraph("No operation that recovers a link was run.")
    column_values = [
        (r["kind"], r["runs"], r["measured"], *(_seconds(r[name]) for name in ("min_s", "median_s", "max_s")))
        for r in rows
    ]
    return table(("operation", "runs", "verified results", "least", "median", "most"), column_values)


def _seconds(value: float | None) -> str:
    return "none" if value is None else short(value)


def _points(found: Shown) -> Block:
    most = found["most_transactions"]
    return facts(
        ("Nothing lost, verified", pluralize(found["none_verified"], "run")),
        ("Loss counted after a failover", pluralize(found["counted"], "run")),
        ("Loss only stated by the plan", pluralize(found["stated"], "run")),
        ("Loss unknown", pluralize(found["unknown"], "run")),
        ("Largest loss counted or stated", "none" if most is None else pluralize(most, "transaction")),
        ("Largest loss in time", _seconds(found["most_seconds"])),
    )


def _rehearsals(rows: Sequence[Shown]) -> Block:
    if not rows:
        return paragraph("No rehearsal took place, and no schedule demanded one.")
    column_values = [
        (r["kind"], r["passed"], r["failed"], "no schedule" if r["missed"] is None else r["missed"]) for r in rows
    ]
    return table(("operation", "passed", "failed", "missed"), column_values)


def _days(found: Shown) -> Block:
    names = (("ready_days", "Ready"), ("not_ready_days", "Not ready"), ("unknown_days", "Unknown"))
    return table(
        ("state", "days", "share"), [(word, f"{found[name]:.2f}", _share(found, name)) for name, word in names]
    )


def _share(found: Shown, name: str) -> str:
    return f"{100 * found[name] / found['days']:.1f} %" if found["days"] else "-"


def _exceptions(rows: Sequence[Shown]) -> Block:
    if not rows:
        return paragraph("None was recorded.")
    column_values = [(time_text(r["at"]), r["type"], r["sentence"], r["run_id"] or "-") for r in rows]
    return table(("time", "kind", "what", "run"), column_values)


def _switches(rows: Sequence[Shown]) -> Iterator[Block]:
    if not rows:
        yield paragraph("None.")
        return
    yield table(("time", "run", "what happened"), [(time_text(r["created_at"]), r["id"], r["sentence"]) for r in rows])
