"""A standby side that takes writes: which of its nodes, who had fenced it, and what set it writable again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from backend.core.facts.restarted_fence import was_restarted
from backend.core.findings import Finding, Severity
from backend.core.link_facts import LinkFacts, SideFence
from backend.core.link_state.clusters import is_serving
from backend.core.plural import pick
from backend.core.topology import ClusterFacts, NodeFacts

FENCE_KIND = "fence_standby"
CONTESTED_S = 600.0
"""A fence that is taken away sooner, without a restart of the node, is taken away by a program or by a person."""


def open_nodes(cluster: ClusterFacts) -> tuple[NodeFacts, ...]:
    """Its serving nodes that accept writes, or do not report whether they do."""
    return tuple(node for node in cluster.nodes if is_serving(node) and not _is_closed(node))


def _is_closed(node: NodeFacts) -> bool:
    read_only, rejects = ((node.variable(name) or "").upper() for name in ("read_only", "wsrep_reject_queries"))
    return read_only not in ("", "OFF", "0") or rejects in ("ALL", "ALL_KILL")


def takes_writes_on_standby(link: LinkFacts) -> bool:
    """Whether a fenced, or half fenced, standby side accepts writes; a lost side has findings of its own."""
    return link.divergence is None and bool(open_nodes(link.standby)) and _is_to_be_fenced(link)


def _is_to_be_fenced(link: LinkFacts) -> bool:
    """Whether a run fenced the standby side, or one of its nodes is read-only: then the others are meant to be, too."""
    if link.writes_on_both_sides:
        return False
    return link.fence_of(link.standby.id) is not None or any(map(_is_closed, filter(is_serving, link.standby.nodes)))


def is_contested(link: LinkFacts) -> bool:
    """Whether the fence that a run set again was soon taken away again, without a restart."""
    fence = link.fence_of(link.standby.id)
    if fence is None or fence.kind != FENCE_KIND or fence.opened_at_s is None:
        return False
    was_soon = fence.opened_at_s - fence.fenced_at_s <= CONTESTED_S
    return was_soon and not all(was_restarted(node, fence) for node in open_nodes(link.standby))


def standby_findings(link: LinkFacts) -> Iterator[Finding]:
    """What a DBA must know of a standby side that accepts writes; nothing of one that is fenced."""
    side, found = link.standby, open_nodes(link.standby)
    if link.divergence is not None or not found:
        return
    facts = {"cluster_id": side.id, "nodes": [node.node.name for node in found]}
    names, verb = ", ".join(node.node.name for node in found), pick(len(found), "accepts", "accept")
    if not _is_to_be_fenced(link):
        why = "as registered for this link" if link.writes_on_both_sides else "no run of this console has fenced it"
        yield Finding(
            "standby_writable",
            Severity.INFO,
            f"The standby side {side.name} accepts writes: {why}.",
            f"If applications write at one side only, fence {side.name} (plan kind {FENCE_KIND}).",
            facts,
        )
        return
    fence = link.fence_of(side.id)
    yield Finding(
        "standby_accepts_writes",
        Severity.WARNING,
        f"{names} of the standby side {side.name} {verb} writes (read_only=OFF). {_history(fence, found)}",
        _remedy(link),
        facts | {"run_id": fence.run_id if fence else None, "is_contested": is_contested(link)},
    )


def _history(fence: SideFence | None, found: tuple[NodeFacts, ...]) -> str:
    if fence is None:
        return "Other nodes of it are read-only; no run of this console fenced them."
    at = datetime.fromtimestamp(fence.fenced_at_s, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    set_by = f"Run {fence.run_id} ({fence.kind}) had fenced it at {at}."
    restarted = [node.node.name for node in found if was_restarted(node, fence)]
    if restarted:
        verb = pick(len(restarted), "was", "were")
        return f"{set_by} {', '.join(restarted)} {verb} restarted since, without read_only in the option file."
    return f"{set_by} It was not restarted since: a person or another program set read_only=OFF."


def _remedy(link: LinkFacts) -> str:
    side = link.standby.name
    if is_contested(link):
        return (
            f"Another program undoes the fence of {side}. Find it (an operator, an orchestrator, a proxy's script) and "
            f"make it leave read_only alone. Then fence {side} again (plan kind {FENCE_KIND})."
        )
    return (
        f"Make sure that no application writes at {side}. Fence it again (plan kind {FENCE_KIND}). Set read_only=ON in "
        "the option file of each node, so that a restart does not open it. If both sides are written on purpose, say "
        "so in the settings of the link (writes_on_both_sides)."
    )
