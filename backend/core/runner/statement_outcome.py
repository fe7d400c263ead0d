"""The outcome of an indeterminate statement, derived from what its step did after it observed the server.

The statement's session was ended before that observation, so it can have no later effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.core.plan import Step
from backend.core.steps.registry import carries_rows


@dataclass(frozen=True, slots=True)
class SentStatement:
    """A statement as the statement log shows it, and the state stored with its intent."""

    sql: str
    before: Mapping[str, Any]


def took_effect_by_next(step: Step, left: SentStatement, following: SentStatement, *, is_undo: bool) -> bool | None:
    """Whether `left` took effect, now that its step is about to send `following`; None where that does not show it.

    The same statement again means that it had no effect; its undo means that it had one.
    """
    if carries_rows(step.code):
        return _is_passed(step, left, following)
    if left.sql == following.sql:
        return False
    return True if is_undo and left.sql in step.sql else None


def took_effect_by_undone(step: Step, sql: str) -> bool:
    """Whether the statement took effect where the state before the step is restored: an undo did, the step did not."""
    return sql not in step.sql


def _is_passed(step: Step, left: SentStatement, following: SentStatement) -> bool:
    """Whether the marker was past its first transaction; equal rows have equal SQL, so the orphans' numbers compare.

    An interrupted batch took effect up to the start of the following one.
    """
    one, other = int(left.before["transaction"]), int(following.before["transaction"])
    return other < one if step.code == "undo_orphans" else other > one
