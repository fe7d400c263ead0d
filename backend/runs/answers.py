"""Runs as they are answered. An ended run changes no more: what is told of it is put together once.

A page of fifty runs has a thousand steps; reading and shaping them anew for every caller took seven times
as long as asking which of them have changed (a run's `version` grows with each change).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.cache import caches
from django.utils import timezone

from backend.common.views import shape_of
from backend.runs import selectors, states
from backend.runs.models import Run
from backend.runs.serializers import RunSerializer

CACHE = "ended_runs"
KEPT_CHARACTERS = 50_000
"""Of statements; a run that replayed megabytes of rows is shaped each time it is asked for."""


def run_answer(run_id: str, *, shows_rows: bool) -> dict[str, Any]:
    """One run; 404 if there is none."""
    return run_answers([selectors.run_mark(run_id)], shows_rows=shows_rows)[0]


def run_answers(marks: Sequence[Run], *, shows_rows: bool) -> list[dict[str, Any]]:
    """The runs that these marks stand for, in their order."""
    kept = caches[CACHE].get_many([_key(mark, shows_rows) for mark in marks if mark.state in states.FINAL])
    missing = [mark.pk for mark in marks if _key(mark, shows_rows) not in kept]
    shaped = dict(_shaped(missing, shows_rows)) if missing else {}
    now = shape_of(RunSerializer).fields["server_time"].to_representation(timezone.now())
    return [
        {**(kept.get(_key(mark, shows_rows)) or shaped[mark.pk]), "link_name": mark.link.name, "server_time": now}
        for mark in marks
    ]


def _shaped(run_ids: Iterable[str], shows_rows: bool) -> Iterable[tuple[str, dict[str, Any]]]:
    for run in selectors.runs_whole(run_ids):
        answer = shape_of(RunSerializer).to_representation(selectors.run_view(run, shows_rows=shows_rows))
        if run.state in states.FINAL and _characters(answer) <= KEPT_CHARACTERS:
            caches[CACHE].set(_key(run, shows_rows), answer)
        yield run.pk, answer


def _characters(answer: dict[str, Any]) -> int:
    return sum(len(statement["sql"]) for step in answer["steps"] for statement in step["statements"])


def _key(run: Run, shows_rows: bool) -> str:
    """All that an answer depends on; the end and the epoch too, for a record restored from an earlier copy."""
    ended = run.ended_at.timestamp() if run.ended_at else 0
    return f"{run.pk}:{run.version}:{run.epoch}:{ended}:{run.state}:{shows_rows:d}"
