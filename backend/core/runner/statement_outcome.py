"""What became of a statement of unknown outcome: told by what its step did once it had looked at the server.

Its session was ended before that look, so nothing of it is still to come.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from backend.core.plan import Step
from backend.core.steps.registry import carries_rows


@dataclass(frozen=True, slots=True)
class SentStatement:
    """A statement as the record shows it, and the state kept with its intent."""

    sql: str
    before: Mapping[str, Any]


def took_effect_by_next(step: Step, left: SentStatement, following: SentStatement, *, is_undo: bool) -> bool | None:
    """Whether `left` took effect, now that its step is about to send `following`; None where that does not tell.

    The same again: nothing of it stands. Its undo: it is what is taken back.
    """
    if carries_rows(step.code):
        return _is_passed(step, left, following)
    if left.sql == following.sql:
        return False
    return True if is_undo and left.sql in step.sql else None


def took_effect_by_undone(step: Step, sql: str) -> bool:
    """Whether it did where the state before the step stands: the undo shows, of the deed nothing does."""
    return sql not in step.sql


def _is_passed(step: Step, left: SentStatement, following: SentStatement) -> bool:
    """Whether the marker stood behind its first: equal rows have equal texts, so the orphans' numbers are compared.

    A batch that was broken off took effect up to where the following one begins.
    """
    one, other = int(left.before["transaction"]), int(following.before["transaction"])
    return other < one if step.code == "undo_orphans" else other > one
