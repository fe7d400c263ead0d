"""After a failover: does anything of the lost side still arrive, and did more arrive than was written down?"""

from __future__ import annotations

from dataclasses import dataclass, replace

from backend.core.facts_json import divergence_from_json
from backend.core.locate.divergence import last_applied
from backend.core.steps.base import StepContext
from backend.core.steps.others import carriers
from backend.core.topology import LinkFacts


@dataclass(frozen=True, slots=True)
class Parted:
    """Names of nodes of the survivor that run a channel of the lost side, and a note for the record."""

    applying: tuple[str, ...] = ()
    note: str = ""


def still_parted(ctx: StepContext, link: LinkFacts) -> Parted:
    """What holds at a failover's end; the point where the histories part is kept anew where more was applied.

    A holder that was dead when the point was read may have come back and applied its relay log until somebody
    stopped it: what it applied would be taken for orphans of the lost side, and undone there. Nothing in other plans.
    """
    step = next((s for s in ctx.plan.steps if s.code == "diverge"), None)
    if step is None:
        return Parted()
    held = carriers(link, step.params["survivor_cluster_id"])
    applying = tuple(h.replica.node.name for h in held if h.channel.is_running)
    if applying:
        return Parted(applying)
    standing = ", ".join(h.replica.node.name for h in held)
    note = f" {standing} is back with a stopped channel of {step.params['lost_name']}: clean it." if standing else ""
    kept = divergence_from_json(ctx.results[step.index]["divergence"])
    groups = last_applied(link, step.params["replica_node_id"], ctx.gateway, ctx.journal)
    seam = tuple(group.content for group in groups)
    if seam == kept.seam:
        return Parted(note=note)
    detail = f"{kept.detail} More of it arrived behind the point of no return, from a node that came back."
    ctx.console.record_divergence(
        replace(
            kept,
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
    return Parted(note=f"{note} More of {step.params['lost_name']} arrived meanwhile: where they part is kept anew.")
