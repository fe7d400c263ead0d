"""Plans and runs as Markdown: a runbook to follow by hand, and a report to file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from backend.core.plural import pluralize
from backend.runs.documents import manual_steps

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
        ("Loss", _loss(plan["loss"])),
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


def report(run: Shown, plan: Shown) -> str:
    """A run as an incident report; both arguments are views."""
    return "\n".join(_report(run, plan)) + "\n"


def _report(run: Shown, plan: Shown) -> Iterator[str]:
    yield f"# Report: {run['summary'] or run['kind']}"
    yield f"\n**{run['state']}.** {run['outcome']}"
    if run["next_action"]:
        yield f"\nNext: {run['next_action']}"
    yield ""
    yield from _pairs(
        ("Link", run["link_name"]),
        ("Run", run["id"]),
        ("Plan", f"{plan['id']}, digest `{plan['digest']}`"),
        ("Requested", f"{_time(run['created_at'])} by {run['requested_by']}"),
        ("Approved by", run["approved_by"] or "not needed"),
        ("Reason", run["reason"]),
        ("Started", _time(run["started_at"])),
        ("Ended", _time(run["ended_at"])),
        ("Request id", f"`{run['request_id']}`"),
        ("Loss", _run_loss(run, plan)),
    )
    yield from _durations(run["durations"])
    yield from _verification(run["verification"])
    yield from _positions(plan, is_run=True)
    yield from _findings(plan["findings"])
    yield "\n## Steps of the run"
    for step in run["steps"]:
        yield from _run_step(step)


def _run_step(step: Shown) -> Iterator[str]:
    where = f" on {step['node']}" if step["node"] else ""
    yield f"\n### {step['index'] + 1}. {step['title']}{where}: {step['state']}"
    crash = " Found done after a crash; nothing was sent twice." if step["observed_after_crash"] else ""
    yield f"\n{_time(step['started_at'])} to {_time(step['ended_at'])}. {step['outcome']}{crash}"
    for statement in step["statements"]:
        took = "" if statement["duration_ms"] is None else f", {statement['duration_ms']:.0f} ms"
        session = statement["connection_id"]
        yield f"\n{_time(statement['sent_at'])} {statement['node']}, session {session}: {statement['state']}{took}"
        yield from _sql([statement["sql"]])
        yield from (f"\nWarning: {text}" for text in statement["warnings"])
        if statement["error"]:
            yield f"\nError: {_text(statement['error'])}"


def _durations(durations: Shown | None) -> Iterator[str]:
    if durations:
        yield "\n## Durations\n"
        yield from _pairs(*((name, "open" if s is None else f"{s:.3f} s") for name, s in durations.items()))


def _verification(verification: Shown | None) -> Iterator[str]:
    yield "\n## Verification"
    if verification is None:
        yield "\nNot reached."
        return
    yield f"\n{verification['verdict']}."
    for probe in verification["probes"]:
        seen = ", ".join(
            f"{s['node']} {'not arrived' if s['ms'] is None else f'''{s['ms']:.0f} ms'''}" for s in probe["seen_on"]
        )
        yield f"- Probe {probe['direction']}, written on {probe['written_on']}: {seen}"
    for seam in verification["continuity"]:
        verdict = "equal" if seam["equal"] else "DIFFERENT"
        yield (
            f"- Continuity check {seam['direction']} on {seam['node']}: "
            f"{pluralize(seam['groups_compared'], 'transaction')} compared, {verdict}"
        )
    if verification["not_probed_reason"]:
        yield f"- Not probed: {verification['not_probed_reason']}"
    for name in verification["stray_channels"]:
        yield f"- Stray channel: {name}"
    for name in verification["cleanup_pending"]:
        yield f"- To be cleaned up once reachable: {name}"
    for channel in verification.get("removed_channels", ()):
        gtid = "unknown" if channel["gtid"] is None else f"`{channel['gtid']}`"
        yield (
            f"- Removed: the {channel['direction']} channel `{channel['name']}` on {channel['node']} from "
            f"{channel['source_name']}. It stopped at `{channel['file']}` {channel['position']}, gtid_slave_pos {gtid}"
        )


def _positions(plan: Shown, *, is_run: bool = False) -> Iterator[str]:
    yield "\n## Positions"
    for p in plan["positions"]:
        position_text = f"`{p['file']}` {p['position']}" if p["file"] else "to be proven during the run"
        if p["provisional"] and p["proven"]:
            yield f"\n{_moving(plan, p, position_text, is_run=is_run)}"
        else:
            proof = "proven" if p["proven"] else "NOT proven"
            where = f"**{p['direction']}** on {p['node_name']}: {position_text}"
            yield f"\n{where}, seqno {p['seqno']}, {proof}. {p['verdict']}"
        for evidence in p["evidence"]:
            agrees = {True: "agrees", False: "DISAGREES", None: "not available"}[evidence["agrees"]]
            yield f"- {evidence['family']}: {agrees}. {_text(evidence['detail'])}"
        yield from (f"- {_text(reason)}" for reason in p["reasons"])


def _moving(plan: Shown, position: Shown, position_text: str, *, is_run: bool) -> str:
    """A position proven while its channel ran. It was true at that moment only, so it is not called proven here."""
    seen = (
        f"**{position['direction']}** on {position['node_name']}, as of {_time(plan['created_at'])}: {position_text}, "
    )
    if is_run:
        return (
            f"{seen}seqno {position['seqno']}. The channel was still running. Steps of the run shows where it resumed."
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


def _run_loss(run: Shown, plan: Shown) -> str:
    """The loss that a failover counted after the drain; without such a count, the loss that the plan stated."""
    for step in run["steps"]:
        divergence = step["facts"].get("divergence") if step["code"] == "record_divergence" else None
        if divergence is not None and divergence.get("lost_transactions") is not None:
            return f"{pluralize(divergence['lost_transactions'], 'transaction')}. {divergence['detail']}"
    return _loss(plan["loss"])


def _loss(loss: Shown) -> str:
    count = "unknown" if loss["transactions"] is None else pluralize(loss["transactions"], "transaction")
    seconds = "" if loss["seconds"] is None else f", {loss['seconds']} s"
    return f"{count}{seconds}. {loss['detail']}"
