"""A rehearsal as a certificate: what was tried without changing anything, what it showed, and what it does not show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from backend.core.documents.model import Block, Document, Section, facts, paragraph, table
from backend.core.history.people import person
from backend.core.history.times import short
from backend.core.plural import pluralize
from backend.core.reports.shared import findings_section, loss_text, positions_table, time_text

Shown = Mapping[str, Any]
_LIMITS: Final = (
    "A rehearsal plans the operation with the code of a run and walks its steps up to the first write. It changes "
    "nothing on any server. It does not show that the statements after that would succeed, and it is true of its time "
    "only."
)


def rehearsal_certificate(rehearsal: Shown, link_name: str) -> Document:
    """The certificate; `rehearsal` is a view."""
    word = {"passed": "passed", "failed": "failed"}.get(rehearsal["state"], "has an unknown result")
    result = f"The rehearsal of a {rehearsal['kind']} on {link_name} {word} on {time_text(rehearsal['at'])}."
    lead = (f"{result} {rehearsal['sentence']}", _LIMITS)
    title = f"Rehearsal certificate: {rehearsal['kind']} on {link_name}"
    return Document(title, lead, tuple(_sections(rehearsal, link_name)))


def _sections(rehearsal: Shown, link_name: str) -> Iterator[Section]:
    yield Section("The rehearsal", (_identity(rehearsal, link_name),))
    yield Section("Checks", (_checks(rehearsal["timings"]),))
    positions = rehearsal["positions"]
    yield Section("Positions", (positions_table(positions) if positions else paragraph("None was to be located."),))
    yield findings_section(rehearsal["findings"])
    yield Section("Steps that a run would have had", (_steps(rehearsal["steps"]),))


def _identity(rehearsal: Shown, link_name: str) -> Block:
    estimate = rehearsal["estimate_s"]
    return facts(
        ("Link", link_name),
        ("Rehearsal", rehearsal["id"]),
        ("Operation", rehearsal["kind"]),
        ("Result", rehearsal["state"]),
        ("Rehearsed", time_text(rehearsal["at"])),
        ("By", person(rehearsal["actor"])),
        ("Duration of the rehearsal", short(rehearsal["duration_ms"] / 1000)),
        ("Estimated duration of a run", "unknown" if estimate is None else short(estimate)),
        ("Data loss of a run", loss_text(rehearsal["loss"])),
        ("Plan", rehearsal["summary"] or "none"),
    )


def _checks(timings: list[Shown]) -> Block:
    if not timings:
        return paragraph("No check was run.")
    rows = [(t["check"], "passed" if t["ok"] else "FAILED", f"{t['ms']:.0f} ms", t["sentence"]) for t in timings]
    return table(("check", "result", "duration", "details"), rows)


def _steps(steps: list[Shown]) -> Block:
    if not steps:
        return paragraph("None.")
    rows = [(step["index"] + 1, step["title"], step["node"] or "-", _sent(step)) for step in steps]
    return table(("step", "title", "node", "statements"), rows)


def _sent(step: Shown) -> str:
    return pluralize(len(step["sql"]), "statement") if step["sql"] else "none"
