"""Replay of orphans on the new active side, and their undo on the returned one: a transaction at a time.

Each transaction carries its marker, so a look at the server tells how far either went: what was
committed is never sent again. What was replayed is not taken back; a conflict stops the run there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from backend.core.orphans.model import OrphanList, OrphanTransaction
from backend.core.orphans.progress_marker import (
    MarkerProgress,
    OrphanAction,
    parse_marker,
    pending_indexes,
    read_marker,
    write_marker,
)
from backend.core.orphans.report import statements_of
from backend.core.orphans.undo import UndoJudge
from backend.core.plan import Step
from backend.core.positions import FilePosition
from backend.core.steps.base import Effect, Observation, Proof, RefusedByFactsError, StepContext
from backend.core.steps.batch import BatchTransaction
from backend.core.steps.new_writes import new_writes

SHOWN_CHARACTERS = 1_000


class OrphanStep:
    """Implements BatchStepKind for both ways."""

    def __init__(self, way: OrphanAction) -> None:
        self._way = way

    def look(self, ctx: StepContext, step: Step) -> Observation:
        """How far the marker says it went."""
        assert step.node_id is not None
        rows = ctx.gateway.reader(step.node_id).query(read_marker(step.params["marker_key"], self._way))
        reached = parse_marker(str(rows[0]["token"])) if rows else None
        if reached is not None and not reached.is_of(step.params["digest"]):
            return Observation(
                Effect.FOREIGN, f"an earlier {self._way.value} of another list of orphans stands on {step.node}"
            )
        left = pending_indexes(self._way, _chosen(step), reached)
        state = {"done": len(_chosen(step)) - len(left), "left": len(left)}
        if left:
            return Observation(Effect.TO_DO, f"{len(left)} transactions to {self._way.value}", state)
        return Observation(Effect.DONE, f"all {len(_chosen(step))} transactions done", state)

    def statement(self, ctx: StepContext, step: Step) -> str | None:
        """Not one statement, see `transactions`."""
        return None

    def transactions(self, ctx: StepContext, step: Step) -> Iterator[BatchTransaction]:
        """What is left to do, in its order; refused where the list is not the one the plan was made for."""
        assert step.node_id is not None
        book = ctx.orphans(step.params["scan_id"])
        _check_list(ctx, step, book)
        left = pending_indexes(self._way, _chosen(step), self._reached(ctx, step))
        chosen = (book.transactions[index] for index in left)
        for one in chosen if self._way is OrphanAction.REPLAY else _left_to_undo(ctx, step, book, chosen):
            statements = statements_of(book, one, self._way)
            marker = write_marker(step.params["marker_key"], self._way, book.digest, one.index, step.node or "")
            yield BatchTransaction(_shown([s.sql for s in statements]), {"transaction": one.index}, statements, marker)

    def _reached(self, ctx: StepContext, step: Step) -> MarkerProgress | None:
        assert step.node_id is not None
        rows = ctx.gateway.reader(step.node_id).query(read_marker(step.params["marker_key"], self._way))
        return parse_marker(str(rows[0]["token"])) if rows else None

    def prove(self, ctx: StepContext, step: Step) -> Proof:
        """The marker stands at the last one, and nobody wrote on the returned side meanwhile."""
        seen = self.look(ctx, step)
        if seen.effect is not Effect.DONE:
            return Proof(False, seen.sentence, seen.state)
        if why := new_writes(ctx, step):
            return Proof(False, why, seen.state)
        skipped = len(step.params["skip"])
        note = f", {skipped} left out as planned" if skipped else ""
        word = "replayed" if self._way is OrphanAction.REPLAY else "undone"
        return Proof(True, f"{seen.state['done']} transactions {word}, every row compared{note}", seen.state)


def _left_to_undo(
    ctx: StepContext, step: Step, book: OrphanList, transactions: Iterator[OrphanTransaction]
) -> Iterator[OrphanTransaction]:
    """Each with the rows that are not yet as wanted; the rows are looked at anew, whatever the plan saw."""
    assert step.node_id is not None
    params = step.params
    since = ctx.rows.overwritten(
        params["scan_node_id"], FilePosition.parse(params["scan_end"]), params["survivor_ids"], book
    )
    with (
        closing(ctx.rows.on(step.node_id)) as own,
        closing(ctx.rows.on(params["survivor_node_id"])) as survivor,
    ):
        left_out = params["not_replayed"]
        judge = UndoJudge(
            book,
            own,
            survivor,
            {**book.overwritten, **since},
            is_replayed=lambda index: left_out is not None and index not in left_out,
        )
        for part in judge.parts(transactions):
            if part.conflict is not None:
                raise RefusedByFactsError(
                    f"transaction {part.conflict.index + 1} ({part.conflict.table}): {part.conflict.reason}. Put the "
                    f"row on {step.node} back to one of the two and press Resume, which looks again; a new plan shows "
                    "what stands on both sides, and rebuild stays open"
                )
            yield part.transaction


def _chosen(step: Step) -> list[int]:
    left_out = set(step.params["skip"])
    return [index for index in range(step.params["count"]) if index not in left_out]


class OrphansChangedError(Exception):
    """The orphans are not those of the plan."""


def _check_list(ctx: StepContext, step: Step, book: OrphanList) -> None:
    if book.digest != step.params["digest"] or len(book.transactions) != step.params["count"]:
        raise OrphansChangedError("the stored orphans are not those the plan was made for; make a new plan")
    if why := new_writes(ctx, step):
        raise OrphansChangedError(why)


def _shown(statements: list[str]) -> str:
    text = ";\n".join(statements) or "-- every row is as wanted already"
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]} ... (the export holds it whole)"
