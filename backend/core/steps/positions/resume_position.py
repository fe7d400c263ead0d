"""The proven resume position as later steps use it: both sides are read again just before a step depends on it."""

from __future__ import annotations

from backend.core.binlog.content import are_same, is_same
from backend.core.binlog.events import Cursor
from backend.core.binlog.groups import foreign_to, groups_from
from backend.core.binlog.window import read_window
from backend.core.facts.channel_ends import unclear_channels
from backend.core.facts.origins import outside_stream
from backend.core.link_facts import LinkFacts
from backend.core.locate.search_inputs import SYNC_SQL
from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.positions import FilePosition
from backend.core.steps.base import OUTSIDE_STREAM, RefusedByFactsError, StepContext
from backend.core.steps.peers import observe_peers
from backend.core.topology import Direction


class PositionMovedError(RefusedByFactsError):
    """The groups at the proven position are not the proven ones any more."""


def proven_position(ctx: StepContext, step: Step) -> FilePosition:
    """The position that this run proved for the step's direction; KeyError where it has proven none."""
    proven = ctx.result_of("locate", step.params["direction"])
    return FilePosition(str(proven["file"]), int(proven["offset"]))


def verify_unchanged(ctx: StepContext, step: Step) -> None:
    """Raises PositionMovedError unless the same groups end at the position, and the receiving side applied no more."""
    link = _observed(ctx, step)
    _source_again(ctx, step, link)
    _nothing_received(ctx, step, link)


def verify_nothing_received(ctx: StepContext, step: Step) -> None:
    """Raises PositionMovedError where the receiving side applied more of the stream, or another node there may apply.

    Raises PeerUnknownError where that is unknown. An old replica that was down when the position was proven may return,
    start its channel automatically and fail again before this statement, or hours before the run is resumed. What it
    applied then would be applied twice.
    """
    _nothing_received(ctx, step, _observed(ctx, step))


def _observed(ctx: StepContext, step: Step) -> LinkFacts:
    """The receiving side and, where the step names it, the source: nothing depends on the source's peers."""
    assert step.node_id is not None
    receiving = ctx.gateway.reader(step.node_id).node.cluster_id
    of = filter(None, (receiving, step.params.get("source_node_id")))
    return observe_peers(ctx, receiving, except_node_id=step.node_id, of=tuple(of))


def _nothing_received(ctx: StepContext, step: Step, link: LinkFacts) -> None:
    """What is read of the log follows the observation of the link, so that nothing applies in between unseen."""
    direction = Direction(step.params["direction"])
    assert step.node_id is not None
    _nobody_else_applies(link, direction, step)
    proven = ctx.result_of("locate", direction)
    replica = link.node(step.node_id)
    reader = ctx.gateway.reader(replica.node.id)
    reader.query(SYNC_SQL)
    log, start = ctx.log_of(replica), FilePosition.parse(str(proven["received_from"]))
    if start.file not in {name for name, _ in log.files()}:
        raise PositionMovedError(f"{start.file} no longer exists on {replica.node.name}")
    in_stream = foreign_to(proven.get(OUTSIDE_STREAM) or outside_stream(link, direction))
    now = read_window(Cursor(log), start, in_stream, lambda _: False, following=0).stream
    known = list(proven.get("received", proven["seam"]))
    if not are_same([group.content for group in now], known):
        more = len(now) - len(known)
        received = pluralize(more, "transaction") if more > 0 else "other transactions"
        raise PositionMovedError(
            f"{replica.node.name} received {received} of the {direction} stream since the position was proven; "
            "create a new plan, which proves it again"
        )


def _nobody_else_applies(link: LinkFacts, direction: Direction, step: Step) -> None:
    other_holders = [h for h in link.holders(direction) if h.channel.is_running and h.replica.node.id != step.node_id]
    if other_holders:
        raise PositionMovedError(f"{other_holders[0].replica.node.name} runs the {direction} channel again")
    receiving = link.receiving_cluster(direction)
    unclear = [one for one in unclear_channels(link) if one.side.id == receiving.id]
    if unclear:
        raise PositionMovedError(unclear[0].sentence)


def _source_again(ctx: StepContext, step: Step, link: LinkFacts) -> None:
    proven = ctx.result_of("locate", step.params["direction"])
    source = link.node(step.params["source_node_id"])
    log = ctx.log_of(source)
    if proven["seam_start"] is None:
        target = proven_position(ctx, step)
        if target.file not in {name for name, _ in log.files()}:
            raise PositionMovedError(f"{target.file} no longer exists on {source.node.name}")
        log.events(target.file, target.offset, limit=1)
        return
    start, target = FilePosition.parse(proven["seam_start"]), FilePosition.parse(proven["seam_end"])
    if start.file not in {name for name, _ in log.files()}:
        raise PositionMovedError(f"{start.file} no longer exists on {source.node.name}")
    contents: list[str] = []
    for group in groups_from(Cursor(log), start, page_rows=256):
        contents.append(group.content)
        if group.end_position == target:
            break
        if not group.end_position <= target:
            raise PositionMovedError(f"no transaction ends at {target} on {source.node.name} now")
    seam = list(proven["seam"])
    if not are_same([c for c in contents if any(is_same(c, wanted) for wanted in seam)], seam):
        raise PositionMovedError(f"other transactions end at {target} on {source.node.name} now")
