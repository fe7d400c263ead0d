"""The proven place on the new source, as later steps use it: read again just before anything rests on it."""

from __future__ import annotations

from backend.core.locate.events import Cursor
from backend.core.locate.groups import read_groups
from backend.core.locate.logs import BinlogLog
from backend.core.plan import Step
from backend.core.positions import FilePosition
from backend.core.steps.base import StepContext


class PositionMovedError(Exception):
    """What stood at the proven position does not stand there any more."""


def proven_place(ctx: StepContext, step: Step) -> FilePosition:
    """The coordinates this run proved for the step's direction; KeyError where it has not."""
    proven = ctx.result_of("locate", step.params["direction"])
    return FilePosition(str(proven["file"]), int(proven["offset"]))


def read_again(ctx: StepContext, step: Step) -> None:
    """Raises PositionMovedError unless the same groups still end at the position."""
    proven = ctx.result_of("locate", step.params["direction"])
    source = ctx.gateway.observe_node(step.params["source_node_id"])
    log = BinlogLog(ctx.gateway.reader(source.node.id), ctx.dialect_of(source))
    if proven["seam_start"] is None:
        target = proven_place(ctx, step)
        if target.file not in {name for name, _ in log.files()}:
            raise PositionMovedError(f"{target.file} is gone from {source.node.name}")
        log.events(target.file, target.offset, limit=1)
        return
    start, target = FilePosition.parse(proven["seam_start"]), FilePosition.parse(proven["seam_end"])
    if start.file not in {name for name, _ in log.files()}:
        raise PositionMovedError(f"{start.file} is gone from {source.node.name}")
    contents: list[str] = []
    for group in read_groups(Cursor(log).events_from(start, page_rows=256)):
        contents.append(group.content)
        if group.end_position == target:
            break
        if not group.end_position <= target:
            raise PositionMovedError(f"no group ends at {target} on {source.node.name} any more")
    wanted = set(proven["seam"])
    if [c for c in contents if c in wanted] != list(proven["seam"]):
        raise PositionMovedError(f"other groups end at {target} on {source.node.name} now")
