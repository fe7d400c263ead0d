"""Advice as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from backend.adviser.advice.outputs import Advice, AdviceList


def advice_text(found: AdviceList) -> str:
    """Each piece with its statements, open advice first; then the nodes that were not read."""
    lines = [line for one in found.items for line in (*_advice(one), "")]
    if not found.items:
        lines += ["No advice on what was read.", ""]
    unread = [node for node in found.nodes if node.read_at is None]
    lines += [f"Unknown: {node.node}: {node.error}. Advice may be missing." for node in unread]
    return "\n".join(lines).rstrip() + "\n"


def _advice(one: Advice) -> Iterator[str]:
    dismissal = one.dismissal
    state = f"dismissed until {dismissal.expires_at:%Y-%m-%d}: {dismissal.reason}" if dismissal else one.risk
    yield f"{one.title} on {one.subject} ({state})"
    yield f"  {one.fact}"
    yield f"  {one.consequence}"
    yield f"  {one.remedy}"
    for change in one.changes:
        how = change.sql or f"{change.name} = {change.after or '(empty)'} in the configuration file, restart"
        yield f"    {change.node}: {how}"
    yield f"  {one.evidence}"
