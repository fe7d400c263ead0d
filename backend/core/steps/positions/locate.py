"""Proves a direction's position within the run: after its channel has stopped, or again as planned."""

from __future__ import annotations

from typing import Any

from backend.core.facts.origins import outside_stream
from backend.core.link_facts import LinkFacts
from backend.core.locate.model import Located
from backend.core.locate.requests import LocateRequest
from backend.core.plan import Step
from backend.core.positions import FilePosition
from backend.core.steps.base import OUTSIDE_STREAM, Effect, Observation, Proof, RefusedByFactsError, StepContext
from backend.core.topology import BinlogFacts, Direction


class Locate:
    """Implements StepKind; reads only."""

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """Always read again: a position from before a crash is never used."""
        return Observation(Effect.TO_DO, "prove the position")

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Reads only."""
        return None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The position is proven, and it is the plan's, where the plan showed one."""
        params = step.params
        question = LocateRequest(
            direction=Direction(params["direction"]),
            new_source_id=params["source_node_id"],
            new_replica_id=params["replica_node_id"],
            holder_id=params["old_replica_id"],
            old_source_id=params["old_source_id"],
            is_moving=False,
            backup=params.get("backup"),
        )
        link = ctx.gateway.observe_link()
        located = ctx.locate(question, link)
        received_from = _received_from(located, link, params["replica_node_id"])
        if received_from is None:
            name = link.node(params["replica_node_id"]).node.name
            return Proof(False, f"The end of the binary log of {name} was not read.")
        facts = _facts(located, received_from) | {OUTSIDE_STREAM: list(outside_stream(link, question.direction))}
        if not located.is_proven or located.position is None:
            return Proof(False, "The position is not proven. " + " ".join(located.reasons), facts)
        planned, shows = _expected(step, link)
        if planned is None:
            return Proof(True, f"proven: {located.position}, end of seqno {located.seqno}", facts)
        if not is_same_place(located, planned, link.node(params["source_node_id"]).binlog):
            return Proof(False, f"The position is {located.position} now; {shows} {planned}.", facts)
        facts |= {"file": planned.file, "offset": planned.offset}  # the statement contains this one
        return Proof(True, f"proven: {planned}, end of seqno {located.seqno}", facts)


def _expected(step: Step, link: LinkFacts) -> tuple[FilePosition | None, str]:
    """The required position and what states it: the plan, or the channel that is to resume at its position."""
    name, planned = step.params.get("channel_in_place"), step.params["planned"]
    if name is None:
        return FilePosition.parse(planned) if planned is not None else None, "the plan showed"
    replica = link.node(step.params["replica_node_id"])
    channel = replica.channel(name)
    position = channel.exec_position if channel is not None else None
    if position is None:
        raise RefusedByFactsError(f"{replica.node.name} does not report the position of its channel")
    return position, f"the channel of {replica.node.name} is at"


def _facts(located: Located, received_from: FilePosition) -> dict[str, Any]:
    return {
        "file": located.position.file if located.position else None,
        "offset": located.position.offset if located.position else None,
        "seqno": located.seqno,
        "gtid": located.gtid,
        "gtid_position": located.facts.get("gtid_position"),
        "gtid_set": located.facts.get("gtid_set"),
        "seam": list(located.seam),
        "seam_start": str(located.seam_groups[0].begin_position) if located.seam_groups else None,
        "seam_end": str(located.seam_groups[-1].end_position) if located.seam_groups else None,
        "received_from": str(received_from),
        "received": [group.content for group in located.applied],
        "evidence": [e.to_json() for e in located.evidence],
        "elapsed_ms": located.facts.get("elapsed_ms"),
    }


def _received_from(located: Located, link: LinkFacts, replica_id: str) -> FilePosition | None:
    """The start in the replica's own log from which the seam is compared after the move."""
    if located.applied:
        return located.applied[0].begin_position
    binlog = link.node(replica_id).binlog
    return binlog.end if binlog else None


def is_same_place(located: Located, planned: FilePosition, source_log: BinlogFacts | None) -> bool:
    """Whether both are one position: equal, or with nothing of the stream between them.

    Where the receiving side applied nothing for long, both ends of the idle range are the position: after the last
    applied group, after the sample, or the log's end when the plan was created (a run of the marathon test stopped
    over 600 kB of other writes). Last groups with equal content prove nothing: a group ends at one position only, so
    at another position it is another group.
    """
    position = located.position
    if position is None:
        return False
    if position == planned:
        return True
    if source_log is None or len({position.base, planned.base, source_log.end.base}) > 1 or source_log.end < planned:
        return False
    if position < planned:
        return all(planned <= group.begin_position for group in located.next_groups)
    return located.idle_since is not None and located.idle_since <= planned
