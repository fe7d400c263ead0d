"""After a failover: does anything of the lost side still arrive, and did more arrive than was written down?"""

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
    """Names of nodes of the survivor that run a channel of the lost side, and a note for the record."""

    applying_nodes: tuple[str, ...] = ()
    note: str = ""


def check_divergence(ctx: StepContext, link: LinkFacts) -> DivergenceCheck:
    """What holds at a failover's end; the point where the histories part is kept anew where more was applied.

    A holder that was dead when the point was read may have come back and applied its relay log until somebody
    stopped it: what it applied would be taken for orphans of the lost side, and undone there. Nothing in other plans.
    """
    step = next((s for s in ctx.plan.steps if s.code == "record_divergence"), None)
    if step is None:
        return DivergenceCheck()
    held = channels_into(link, step.params["survivor_cluster_id"])
    applying = tuple(h.replica.node.name for h in held if h.channel.is_running)
    if applying:
        return DivergenceCheck(applying)
    standing = ", ".join(h.replica.node.name for h in held)
    note = f" {standing} is back with a stopped channel of {step.params['lost_name']}: clean it." if standing else ""
    recorded = divergence_from_json(ctx.results[step.index]["divergence"])
    groups = _last_applied(ctx, link, step, has_some=bool(recorded.seam))
    seam = tuple(group.content for group in groups)
    if are_same(seam, recorded.seam):
        return DivergenceCheck(note=note)
    if not groups:
        survivor, lost = step.params["survivor_name"], step.params["lost_name"]
        raise RefusedByFactsError(
            f"No log of {survivor} shows any more what it applied of {lost}, as one did when that was written down: "
            "whether more of it arrived since cannot be told."
        )
    detail = f"{recorded.detail} More of it arrived behind the point of no return, from a node that came back."
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
        note=f"{note} More of {step.params['lost_name']} arrived meanwhile: where they part is kept anew."
    )


def _last_applied(ctx: StepContext, link: LinkFacts, step: Step, *, has_some: bool) -> tuple[Group, ...]:
    """As the node tells of which the point was read; as another of its cluster does, where it told of some and its log
    began anew since.
    """
    first, survivor = step.params["replica_node_id"], step.params["survivor_cluster_id"]
    peers = (n for n in link.nodes if has_some and n.is_up and n.node.cluster_id == survivor and n.node.id != first)
    ready = [n.node.id for n in peers if n.wsrep is not None and n.wsrep.ready]
    found = (last_applied(link, node_id, ctx.gateway, ctx.journal) for node_id in (first, *ready))
    return next((groups for groups in found if groups), ())
