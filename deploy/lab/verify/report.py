"""A verdict in words and as data."""

from __future__ import annotations

from typing import Any

from deploy.lab.layout import CLUSTER_NAMES
from deploy.lab.verify.judge import KINDS, SHOWN, Verdict


def last_line(verdict: Verdict) -> str:
    """`acknowledged N, lost 0, doubled 0, nodes identical`; further faults are appended where there are any."""
    faults = verdict.faults
    parts = [
        f"acknowledged {verdict.acknowledged}",
        f"lost {len(faults['lost'])}",
        f"doubled {len(faults['doubled'])}",
        "nodes identical" if verdict.identical else "nodes differ",
    ]
    parts += [f"{kind} {len(faults[kind])}" for kind in ("ghosts", "split", "different") if faults[kind]]
    if verdict.wrong_balances:
        parts.append(f"wrong balances {sum(len(found) for found in verdict.wrong_balances.values())}")
    if verdict.columns_not_everywhere:
        parts.append("tables differ")
    if verdict.unsettled:
        parts.append("not settled")
    return ", ".join(parts)


def site_line(verdict: Verdict, site: str) -> str:
    """One sentence on one site's nodes."""
    nodes = [node for node in verdict.nodes if node.startswith(f"db-{site}")]
    name = CLUSTER_NAMES[site]
    if not nodes:
        return f"{name}: no node was judged."
    counts = [
        f"{sum(1 for where in verdict.faults[kind].values() if set(where) & set(nodes))} {kind}" for kind in KINDS
    ]
    written = verdict.acknowledged_by_site.get(site, 0)
    return (
        f"{name} ({', '.join(nodes)}): {', '.join(counts)} of {verdict.acknowledged} acknowledged writes,"
        f" {written} of them written here."
    )


def as_lines(verdict: Verdict) -> list[str]:
    """What `verify` prints."""
    open_fate = f"{verdict.indeterminate} of open fate ({verdict.indeterminate_present} present)"
    lines = [site_line(verdict, site) for site in CLUSTER_NAMES]
    lines.append(f"Also judged: {verdict.failed} failed, {open_fate}; not judged: {verdict.in_flight} in flight.")
    for kind in KINDS:
        for write_id, nodes in list(verdict.faults[kind].items())[:SHOWN]:
            lines.append(f"  {kind}: {write_id} on {', '.join(nodes)}")
    for node, accounts in verdict.wrong_balances.items():
        lines.append(f"  wrong balances on {node}: {', '.join(accounts[:SHOWN])}")
    for column, nodes in list(verdict.columns_not_everywhere.items())[:SHOWN]:
        lines.append(f"  column {column}: only on {', '.join(nodes)}")
    return lines + verdict.unsettled + [last_line(verdict)]


def as_json(verdict: Verdict) -> dict[str, Any]:
    """Counts and up to 20 offenders a kind, with the nodes concerned."""
    return {
        "clean": verdict.clean,
        "summary": last_line(verdict),
        "acknowledged": verdict.acknowledged,
        "acknowledged_by_site": verdict.acknowledged_by_site,
        "failed": verdict.failed,
        "indeterminate": verdict.indeterminate,
        "indeterminate_present": verdict.indeterminate_present,
        "in_flight": verdict.in_flight,
        "nodes": verdict.nodes,
        "nodes_identical": verdict.identical,
        **{kind: len(verdict.faults[kind]) for kind in KINDS},
        "offenders": {kind: dict(list(verdict.faults[kind].items())[:SHOWN]) for kind in KINDS},
        "wrong_balances": verdict.wrong_balances,
        "columns_not_everywhere": dict(list(verdict.columns_not_everywhere.items())[:SHOWN]),
        "unsettled": verdict.unsettled,
    }
