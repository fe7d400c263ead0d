"""An incident as one report: what was lost, what was decided for each link, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backend.core.documents.model import Block, Document, Section, bullets, facts, paragraph, table
from backend.core.history.times import short
from backend.core.reports.run_report import topology_section
from backend.core.reports.shared import exact_time_text

Shown = Mapping[str, Any]


def incident_report(incident: Shown) -> Document:
    """The report; `incident` is a view with the history entries of its runs."""
    return Document(f"Incident report: {incident['name']}", (incident["sentence"],), tuple(_sections(incident)))


def _sections(incident: Shown) -> Iterator[Section]:
    yield Section("The incident", (_identity(incident),))
    yield Section("Links in their order", (_links(incident),))
    yield Section("What was attested", (_attested(incident),))
    yield Section("Runs", (_durations(incident),))
    for run in incident["runs"]:
        blocks = (paragraph(run["sentence"]), *topology_section(run["topology"]).blocks)
        yield Section(f"{run['link_name']}: run {run['id']}", blocks, depth=2)


def _identity(incident: Shown) -> Block:
    rule = "stop at the first failure" if incident["stop_at_failure"] else "continue after a failure"
    return facts(
        ("State", f"{incident['state']}. {incident['sentence']}"),
        ("Scope", _scope(incident)),
        ("Incident", incident["id"]),
        ("Opened", f"{exact_time_text(incident['created_at'])} by {incident['created_by']}"),
        ("Confirmed", _confirmed(incident)),
        ("Approved by", incident["approved_by"] or "no approval of all"),
        ("Reason", incident["reason"] or "none"),
        ("Digest", f"`{incident['digest']}`" if incident["digest"] else "none"),
        ("Rules", f"{incident['at_once']} at once; {rule}"),
        ("Ended", exact_time_text(incident["ended_at"])),
    )


def _scope(incident: Shown) -> str:
    lost = {"site": "Site {} lost", "node": "Node {} lost"}.get(incident["scope_kind"], "Links chosen by an operator")
    return lost.format(incident["scope_name"])


def _confirmed(incident: Shown) -> str:
    if not incident["confirmed_by"]:
        return "not confirmed"
    return f"{exact_time_text(incident['confirmed_at'])} by {incident['confirmed_by']}"


def _links(incident: Shown) -> Block:
    header = ("no.", "link", "touched because", "operation", "target", "data loss", "result", "run")
    rows = [
        (
            number,
            item["link_name"],
            item["why"],
            item["kind"] or "none",
            item["target"] or "-",
            item["loss_text"] or "-",
            f"{item['state'].replace('_', ' ')}. {item['sentence']}",
            item["run_id"] or "-",
        )
        for number, item in enumerate(incident["items"], 1)
    ]
    return table(header, rows)


def _attested(incident: Shown) -> Block:
    given = [
        f"{item['link_name']}: {finding['attestation']['label']}"
        for item in incident["items"]
        for finding in item["findings"]
        if finding["attestation"] and finding["attestation"]["is_given"]
    ]
    return bullets(dict.fromkeys(given)) if given else paragraph("Nothing.")


def _durations(incident: Shown) -> Block:
    runs = incident["runs"]
    if not runs:
        return paragraph("No run was started.")
    header = ("link", "run", "state", "started", "duration", "write pause", "loss")
    return table(header, [_duration(run) for run in runs])


def _duration(run: Shown) -> tuple[str, ...]:
    return (
        run["link_name"],
        run["id"],
        run["state"],
        exact_time_text(run["started_at"]),
        "open" if run["duration_s"] is None else short(run["duration_s"]),
        "none" if run["write_pause_s"] is None else short(run["write_pause_s"]),
        run["loss"]["sentence"],
    )
