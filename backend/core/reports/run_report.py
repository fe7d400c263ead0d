"""A run as an incident report: what happened, in sentences, and every fact behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from backend.core.documents.model import Block, Document, Section, bullets, facts, paragraph, table
from backend.core.history.times import short
from backend.core.reports.run_steps import steps_section
from backend.core.reports.run_verification import verification_section
from backend.core.reports.shared import exact_time_text, findings_section, loss_text, positions_table

Shown = Mapping[str, Any]


def run_report(run: Shown, plan: Shown, entry: Shown) -> Document:
    """The report; `run` and `plan` are views, `entry` is the run's entry in the history."""
    lead = [entry["sentence"]]
    if run["next_action"]:
        lead.append(f"Next: {run['next_action']}")
    return Document(f"Report: {run['summary'] or run['kind']}", tuple(lead), tuple(_sections(run, plan, entry)))


def _sections(run: Shown, plan: Shown, entry: Shown) -> Iterator[Section]:
    yield Section("The run", (_identity(run, plan),))
    yield topology_section(entry["topology"])
    yield Section("Durations", (_durations(run["durations"]),))
    yield verification_section(run["verification"])
    yield _positions(plan)
    yield findings_section(plan["findings"])
    yield from steps_section(run["steps"])


def _identity(run: Shown, plan: Shown) -> Block:
    return facts(
        ("State", f"{run['state']}. {run['outcome']}"),
        ("Link", run["link_name"]),
        ("Run", run["id"]),
        ("Plan", f"{plan['id']}, digest `{plan['digest']}`"),
        ("Requested", f"{exact_time_text(run['created_at'])} by {run['requested_by']}"),
        ("Approved by", run["approved_by"] or "not needed"),
        ("Reason", run["reason"]),
        ("Started", exact_time_text(run["started_at"])),
        ("Ended", exact_time_text(run["ended_at"])),
        ("Request id", f"`{run['request_id']}`"),
        ("Loss", _run_loss(run, plan)),
    )


def topology_section(rows: Iterable[Shown]) -> Section:
    """Roles and channels before and after."""
    column_values = [(row["subject"], row["before"], row["after"], str(row["change"])) for row in rows]
    return Section("Topology before and after", (table(("subject", "before", "after", "change"), column_values),))


def _durations(durations: Shown | None) -> Block:
    if not durations:
        return paragraph("The run was not started.")
    return table(("part", "duration"), [(name, "open" if s is None else short(s)) for name, s in durations.items()])


def _positions(plan: Shown) -> Section:
    found = list(plan["positions"])
    if not found:
        return Section("Positions", (paragraph("The plan located no position."),))
    blocks = [positions_table(found)]
    for one in found:
        if one["provisional"] and one["proven"]:
            blocks.append(
                paragraph(
                    f"The {one['direction']} position is as of {exact_time_text(plan['created_at'])}. "
                    "The channel was still running. Steps of the run shows where it resumed."
                )
            )
        else:
            blocks.append(paragraph(f"{one['direction']}: {one['verdict']}"))
        if evidence := [*map(_evidence, one["evidence"]), *one["reasons"]]:
            blocks.append(bullets(evidence))
    return Section("Positions", tuple(blocks))


def _evidence(evidence: Shown) -> str:
    agrees = {True: "agrees", False: "DISAGREES", None: "not available"}[evidence["agrees"]]
    return f"{evidence['family']}: {agrees}. {evidence['detail']}"


def _run_loss(run: Shown, plan: Shown) -> str:
    """The loss as it is known by now, and as the plan stated it."""
    return f"{run['loss']['sentence']}. The plan stated: {loss_text(plan['loss'])}"
