"""Replay of orphans on the new active side, and their undo on the returned side, transaction by transaction.

Each transaction writes its progress marker, so the server itself shows how far either went: what was committed is
never sent again. What was replayed is not reverted; a conflict stops the run there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from backend.core.orphans.batches import in_batches
from backend.core.orphans.decisions import resolutions_from_json
from backend.core.orphans.model import OrphanList, OrphanTransaction, TableShape
from backend.core.orphans.progress_marker import (
    MarkerProgress,
    OrphanAction,
    parse_marker,
    pending_range,
    read_marker,
    write_marker,
)
from backend.core.orphans.report import schema_statement_of, statements_of
from backend.core.orphans.rows.information_schema import differences, read_shapes
from backend.core.orphans.schema_changes.projection import ProjectedList, RowsWithoutTables, whole_rows
from backend.core.orphans.undo import UndoJudge
from backend.core.plan import Step
from backend.core.plural import pluralize
from backend.core.positions import FilePosition
from backend.core.steps.base import Effect, Observation, Proof, RefusedByFactsError, StepContext
from backend.core.steps.batch import Batch, BatchTransaction
from backend.core.steps.new_writes import new_writes

SHOWN_CHARACTERS = 1_000
BATCH = 200
"""Transactions under one intent: the statement log of half a million stays small, and a run shows its progress."""


class OrphanStep:
    """Implements BatchStepKind for replay and undo."""

    def __init__(self, way: OrphanAction) -> None:
        self._way = way

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """The progress that the marker shows."""
        assert step.node_id is not None
        rows = ctx.gateway.reader(step.node_id).query(read_marker(step.params["marker_key"], self._way))
        reached = parse_marker(str(rows[0]["token"])) if rows else None
        if reached is not None and not reached.is_of(step.params["digest"]):
            return Observation(
                Effect.FOREIGN, f"{step.node} has the marker of an earlier {self._way.value} of another list of orphans"
            )
        count = step.params["count"]
        left = len(pending_range(self._way, count, reached))
        state = {"done": count - left, "left": left}
        if left:
            return Observation(Effect.TO_DO, f"{pluralize(left, 'transaction')} to {self._way.value}", state)
        return Observation(Effect.DONE, f"{pluralize(count, 'transaction')} done, none left", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """No single statement, see `batches`."""
        return None

    def batches(self, ctx: StepContext, step: Step) -> Iterator[Batch]:
        """The transactions still to be sent, in order; refused where the list is not the plan's."""
        book = ctx.orphans(step.params["scan_id"])
        _check_list(ctx, step, book)
        changes = frozenset(one.index for one in book.changes)
        for works in in_batches(self._left(ctx, step, book), BATCH, lambda work: work.index in changes):
            first, last = works[0].index, works[-1].index
            done = first if self._way is OrphanAction.REPLAY else len(book) - 1 - first
            state = {"transaction": first, "last": last, "done": done, "of": len(book)}
            yield Batch(_shown(works, state), state, works)

    def _left(self, ctx: StepContext, step: Step, book: OrphanList) -> Iterator[BatchTransaction]:
        left = pending_range(self._way, len(book), self._reached(ctx, step))
        if self._way is OrphanAction.REPLAY:
            left_out = frozenset(step.params["skip"])
            # the last is marked even where it is left out: its marker shows that the end was reached
            chosen: Iterator[OrphanTransaction] = (
                one for one in book.ascending(left.start) if one.index not in left_out or one.index == left[-1]
            )
        else:
            chosen = _left_to_undo(ctx, step, book, left.start)
        resolutions = resolutions_from_json(step.params["resolutions"])
        for one in chosen:
            skips = one.index in step.params["skip"]
            statements = () if skips else statements_of(book, one, self._way, resolutions)
            marker = write_marker(step.params["marker_key"], self._way, book.digest, one.index, step.node or "")
            is_settled = one.index in step.params["settled_changes"]
            change = None if is_settled else schema_statement_of(one, self._way)
            yield BatchTransaction(one.index, statements, marker, change)

    def _reached(self, ctx: StepContext, step: Step) -> MarkerProgress | None:
        assert step.node_id is not None
        rows = ctx.gateway.reader(step.node_id).query(read_marker(step.params["marker_key"], self._way))
        return parse_marker(str(rows[0]["token"])) if rows else None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The marker names the last transaction, and nothing was written on the returned side meanwhile."""
        seen = self.look(ctx, step)
        if seen.effect is not Effect.DONE:
            return Proof(False, seen.sentence, seen.state)
        if why := new_writes(ctx, step):
            return Proof(False, why, seen.state)
        if self._way is OrphanAction.REPLAY and (why := _other_definitions(ctx, step)):
            return Proof(False, why, seen.state)
        skipped = len(step.params["skip"])
        done = seen.state["done"] - skipped
        note = f", {skipped:,} left out as planned" if skipped else ""
        word = "replayed" if self._way is OrphanAction.REPLAY else "reverted"
        sentence = f"{pluralize(done, 'transaction')} {word}, every row compared{note}"
        return Proof(True, sentence, {**seen.state, "done": done})


def _left_to_undo(ctx: StepContext, step: Step, book: OrphanList, first: int) -> Iterator[OrphanTransaction]:
    """Each transaction with the rows still to be changed; the rows are read again, whatever the plan observed."""
    assert step.node_id is not None
    params = step.params
    since = ctx.rows.overwritten(
        params["scan_node_id"], FilePosition.parse(params["scan_end"]), params["survivor_ids"], book
    )
    with (
        closing(ctx.rows.on(step.node_id)) as own,
        closing(ctx.rows.on(params["survivor_node_id"])) as survivor,
    ):
        left_out = None if params["not_replayed"] is None else frozenset(params["not_replayed"])
        own_only = {(index, row) for index, row in params["kept_rows"]}
        there = _shapes_there(ctx, params["survivor_node_id"], book)
        judge = UndoJudge(
            ProjectedList(book, there),
            own,
            RowsWithoutTables(survivor, book.table_definitions, there),
            {**book.overwritten, **since},
            is_replayed=lambda index, row: (
                left_out is not None and index not in left_out and (index, row) not in own_only
            ),
            is_live=True,
        )
        for part in judge.parts(judge.book.descending(first)):
            if part.conflict is not None:
                raise RefusedByFactsError(
                    f"transaction {part.conflict.index + 1} ({part.conflict.table}): {part.conflict.reason}. Set the "
                    f"row on {step.node} to one of these two states and resume the run, which compares it again. Or "
                    "create a new plan, which shows the row on both sides, or rebuild the side"
                )
            yield whole_rows(part.transaction)


def _other_definitions(ctx: StepContext, step: Step) -> str:
    """Why tables whose definition was replayed differ from those of the returned side; empty where they are equal."""
    assert step.node_id is not None
    book = ctx.orphans(step.params["scan_id"])
    changed = {one.change.name for one in book.changes if one.change is not None and not one.is_void}
    wanted = [shape for shape in book.table_definitions.values() if shape.name in changed and not shape.version]
    if not wanted:
        return ""
    there = read_shapes(ctx.gateway.reader(step.node_id), [(shape.schema, shape.table) for shape in wanted])
    return next((why for shape in wanted if (why := differences(shape, there.get(shape.name)))), "")


def _shapes_there(ctx: StepContext, node_id: str, book: OrphanList) -> Mapping[str, TableShape]:
    """The orphans' tables as the survivor has them: it may lack the orphans' changes of definitions."""
    tables = {(shape.schema, shape.table) for shape in book.table_definitions.values()}
    if not book.changes:
        return book.table_definitions
    return read_shapes(ctx.gateway.reader(node_id), tables)


class OrphansChangedError(Exception):
    """The orphans are not those of the plan."""


def _check_list(ctx: StepContext, step: Step, book: OrphanList) -> None:
    if book.digest != step.params["digest"] or len(book) != step.params["count"]:
        raise OrphansChangedError("the stored orphans are not those of the plan; create a new plan")
    if why := new_writes(ctx, step):
        raise OrphansChangedError(why)


def _texts(works: Sequence[BatchTransaction]) -> Iterator[str]:
    for work in works:
        if work.schema_change is not None:
            yield work.schema_change.sql
        yield from (statement.sql for statement in work.statements)


def _shown(works: Sequence[BatchTransaction], state: Mapping[str, int]) -> str:
    """The numbers of the transactions within the list, and their first statements."""
    head = f"-- {state['done'] + 1:,} to {state['done'] + len(works):,} of {state['of']:,}"
    text = ";\n".join(_texts(works)) or "-- every row has its target values already"
    shown = text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]} ... (complete in the export)"
    return f"{head}\n{shown}"
