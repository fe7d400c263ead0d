"""Plans as Markdown: a runbook to follow by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from backend.core.reports.shared import loss_text
from backend.operations.runs.documents import manual_steps

Shown = Mapping[str, Any]


def runbook(plan: Shown) -> str:
    """A plan, step by step, with its literal SQL; `plan` is a plan view."""
    return "\n".join(_runbook(plan)) + "\n"


def _runbook(plan: Shown) -> Iterator[str]:
    yield f"# Runbook: {plan['summary'] or plan['kind']}"
    yield ""
    yield from _pairs(
        ("Link", plan["link_name"]),
        ("Plan", f"{plan['id']} ({plan['kind']}, {plan['state']})"),
        ("Digest", f"`{plan['digest']}`"),
        ("Created", f"{_time(plan['created_at'])} by {plan['created_by']}"),
        ("Expires", _time(plan["expires_at"])),
        ("Reason", plan["reason"] or "none"),
        ("Loss", loss_text(plan["loss"])),
    )
    yield "\nFill in:"
    yield "- `***`: passwords, from your own store."
    yield from manual_steps.placeholders(plan)
    yield from _findings(plan["findings"])
    yield from _positions(plan)
    yield "\n## Steps"
    for step in plan["steps"]:
        yield from _plan_step(plan, step)
    if not plan["steps"]:
        yield "\nNone. The plan was refused; see the findings."


def _plan_step(plan: Shown, step: Shown) -> Iterator[str]:
    where = f" on {step['node']}" if step["node"] else ""
    yield f"\n### {step['index'] + 1}. {step['title']}{where}"
    if step["point_of_no_return"]:
        yield "\n**Point of no return:** from this step on, the previous channels cannot be restored."
    yield from manual_steps.manual_instruction(plan, step)
    yield from _sql(step["sql"])
    if step["undo"]:
        yield "\nUndo:"
        yield from _sql(step["undo"])


def _positions(plan: Shown) -> Iterator[str]:
    yield "\n## Positions"
    for p in plan["positions"]:
        position_text = f"`{p['file']}` {p['position']}" if p["file"] else "to be proven during the run"
        if p["provisional"] and p["proven"]:
            yield f"\n{_moving(plan, p, position_text)}"
        else:
            proof = "proven" if p["proven"] else "NOT proven"
            where = f"**{p['direction']}** on {p['node_name']}: {position_text}"
            yield f"\n{where}, seqno {p['seqno']}, {proof}. {p['verdict']}"
        for evidence in p["evidence"]:
            agrees = {True: "agrees", False: "DISAGREES", None: "not available"}[evidence["agrees"]]
            yield f"- {evidence['family']}: {agrees}. {_text(evidence['detail'])}"
        yield from (f"- {_text(reason)}" for reason in p["reasons"])


def _moving(plan: Shown, position: Shown, position_text: str) -> str:
    """A position proven while its channel ran. It was true at that moment only, so it is not called proven here."""
    seen = (
        f"**{position['direction']}** on {position['node_name']}, as of {_time(plan['created_at'])}: {position_text}, "
    )
    when = manual_steps.when_to_locate(plan, position["direction"])
    return f"{seen}seqno {position['seqno']}. **Do not resume there.** It moves until the channel is stopped: {when}."


def _findings(findings: Iterable[Shown]) -> Iterator[str]:
    yield "\n## Findings\n"
    for finding in findings:
        remedy = f" Remedy: {_text(finding['remedy'])}" if finding["remedy"] else ""
        yield f"- **{finding['severity']}** {finding['code']}: {_text(finding['message'])}{remedy}"


def _sql(statements: Iterable[str]) -> Iterator[str]:
    text = "\n".join(sql.rstrip(";") + ";" for sql in statements)
    if text:
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
        yield f"\n{fence}sql\n{text}\n{fence}"


def _pairs(*pairs: tuple[str, Any]) -> Iterator[str]:
    for name, value in pairs:
        yield f"- {name}: {_text(str(value))}"


def _text(value: str) -> str:
    """The value on one line, without markup of its own."""
    return " ".join(value.split()).replace("<", "&lt;")


def _time(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S.%f UTC") if at else "-"
