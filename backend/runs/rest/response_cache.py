"""Runs as they are answered: each version of a run is written once.

A page of fifty runs has a thousand steps and half a megabyte; reading, shaping and rendering them anew for
every caller took ten times as long as asking which of them have changed. A run's `version` grows with each change
of it, its steps and its statements, in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from django.core.cache import caches
from django.utils import timezone
from rest_framework.renderers import JSONRenderer

from backend.common.rest.views import shape_of
from backend.runs import selectors
from backend.runs.models import Run
from backend.runs.rest.serializers.runs import RunSerializer

CACHE = "runs"
MAX_CACHED_BYTES = 200_000
"""A run that replayed megabytes of rows is written each time it is asked for."""
_CLOCK = b'"server_time":"@"'
"""Where the time of the answer goes; in a text of the run its quotes would be escaped."""


def run_response(run_id: str, *, shows_rows: bool) -> bytes:
    """One run as JSON; 404 if there is none."""
    return _answers([selectors.run_mark(run_id)], shows_rows=shows_rows)[0]


def run_page_response(marks: Sequence[Run], following: str | None, *, shows_rows: bool) -> bytes:
    """A page of the runs that these marks stand for, in their order, as JSON."""
    results = b",".join(_answers(marks, shows_rows=shows_rows))
    return b'{"results":[%b],"next":%b}' % (results, json.dumps(following).encode())


def _answers(marks: Sequence[Run], *, shows_rows: bool) -> list[bytes]:
    kept = caches[CACHE].get_many([_key(mark, shows_rows) for mark in marks])
    missing = [mark.pk for mark in marks if _key(mark, shows_rows) not in kept]
    written = dict(_written(missing, shows_rows)) if missing else {}
    now = shape_of(RunSerializer).fields["server_time"].to_representation(timezone.now())
    clock = b'"server_time":"%b"' % now.encode()
    return [(kept.get(_key(mark, shows_rows)) or written[mark.pk]).replace(_CLOCK, clock) for mark in marks]


def _written(run_ids: Iterable[str], shows_rows: bool) -> Iterable[tuple[str, bytes]]:
    for run in selectors.runs_whole(run_ids):
        shown = shape_of(RunSerializer).to_representation(selectors.run_view(run, shows_rows=shows_rows))
        answer = JSONRenderer().render({**shown, "server_time": "@"})
        if len(answer) <= MAX_CACHED_BYTES:
            caches[CACHE].set(_key(run, shows_rows), answer)
        yield run.pk, answer


def _key(run: Run, shows_rows: bool) -> str:
    """All that an answer depends on; the end and the epoch too, for a record restored from an earlier copy.

    Of the run as read before its steps: what changes meanwhile makes a version that nothing is kept for yet.
    """
    ended = run.ended_at.timestamp() if run.ended_at else 0
    return f"{run.pk}:{run.version}:{run.epoch}:{ended}:{run.state}:{shows_rows:d}"
