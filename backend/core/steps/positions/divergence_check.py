"""After a failover: whether transactions of the lost side still arrive, or arrived after the recorded point."""

from __future__ import annotations

from dataclasses import dataclass, replace

from backend.core.binlog.content import are_same
from backend.core.binlog.groups import Group
from backend.core.facts.serialization import divergence_from_json
from backend.core.link_facts import LinkFacts
from backend.core.locate.applied_point import last_applied
from backend.core.plan import Step
from backend.core.steps.base import RefusedByFactsError, StepContext
from backend.core.steps.peers import channels_into


@dataclass(frozen=True, slots=True)
class DivergenceCheck:
    """Names of nodes of the survivor that run a channel of the lost side, and a note for the proof."""

    applying_nodes: tuple[str, ...] = ()
    note: str = ""


def check_divergence(ctx: StepContext, link: LinkFacts) -> DivergenceCheck:
    """The check at a failover's end; it records the divergence point again where more was applied since.

    A channel holder that was down when the point was read may have returned and applied its relay log until it was
    stopped. What it applied would be taken for orphans of the lost side, and reverted there. Other plans check nothing.
    """
    step = next((s for s in ctx.plan.steps if s.code == "record_divergence"), None)
    if step is None:
        return DivergenceCheck()
    held = channels_into(link, step.params["survivor_cluster_id"])
    applying = tuple(h.replica.node.name for h in held if h.channel.is_running)
    if applying:
        return DivergenceCheck(applying)
    holders = ", ".join(h.replica.node.name for h in held)
    note = f" {holders} returned with a stopped channel of {step.params['lost_name']}: remove it." if holders else ""
    recorded = divergence_from_json(ctx.results[step.index]["divergence"])
    groups = _last_applied(ctx, link, step, has_some=bool(recorded.seam))
    seam = tuple(group.content for group in groups)
    if are_same(seam, recorded.seam):
        return DivergenceCheck(note=note)
    if not groups:
        survivor, lost = step.params["survivor_name"], step.params["lost_name"]
        raise RefusedByFactsError(
            f"No log of {survivor} shows any longer what it applied of {lost}. It is unknown whether more arrived "
            "since the divergence point was recorded."
        )
    detail = f"{recorded.detail} More arrived after the point of no return, from a node that returned."
    ctx.console.record_divergence(
        replace(
            recorded,
            run_id=ctx.probe_token,
            applied_file=None,
            applied_offset=None,
            applied_seqno=None,
            applied_trailing=0,
            applied_gtid=str(groups[-1].gtid) if groups[-1].gtid else None,
            seam=seam,
            detail=detail.strip(),
        )
    )
    return DivergenceCheck(
        note=f"{note} More of {step.params['lost_name']} arrived meanwhile: the divergence point was recorded again."
    )


def _last_applied(ctx: StepContext, link: LinkFacts, step: Step, *, has_some: bool) -> tuple[Group, ...]:
    """The last applied groups by the node from which the point was read.

    By a peer of it where that node had shown some groups and its log was reset since.
    """
    first, survivor = step.params["replica_node_id"], step.params["survivor_cluster_id"]
    peers = (n for n in link.nodes if has_some and n.is_up and n.node.cluster_id == survivor and n.node.id != first)
    ready = [n.node.id for n in peers if n.wsrep is not None and n.wsrep.ready]
    found = (last_applied(link, node_id, ctx.gateway, ctx.journal) for node_id in (first, *ready))
    return next((groups for groups in found if groups), ())
