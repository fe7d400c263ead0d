"""Cached responses of runs: each version of a run is rendered once.

A page of fifty runs has a thousand steps and half a megabyte. Reading and rendering it for every caller took ten times
as long as reading which runs have changed. A run's `version` grows with each change of it, its steps and its
statements, in the same transaction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from django.core.cache import caches
from django.utils import timezone
from rest_framework.renderers import JSONRenderer

from backend.common.rest.views import shape_of
from backend.operations.runs import selectors
from backend.operations.runs.models import Run, RunState
from backend.operations.runs.rest.serializers.runs import RunSerializer

CACHE = "runs"
MAX_CACHED_BYTES = 200_000
"""A larger run, for example one that replayed megabytes of rows, is rendered for each request."""
_CLOCK = b'"server_time":"@"'
"""Placeholder for the time of the response; a text of the run would have its quotes escaped."""


def run_response(run_id: str, *, shows_rows: bool) -> bytes:
    """One run as JSON; 404 if it does not exist."""
    return _answers([selectors.run_mark(run_id)], shows_rows=shows_rows)[0]


def run_page_response(runs: Sequence[Run], following: str | None, *, shows_rows: bool) -> bytes:
    """A page of these runs, in their order, as JSON."""
    results = b",".join(_answers(runs, shows_rows=shows_rows))
    return b'{"results":[%b],"next":%b}' % (results, json.dumps(following).encode())


def _answers(runs: Sequence[Run], *, shows_rows: bool) -> list[bytes]:
    cached = caches[CACHE].get_many([_key(run, shows_rows) for run in runs])
    missing = [run.pk for run in runs if _key(run, shows_rows) not in cached]
    written = dict(_written(missing, shows_rows)) if missing else {}
    now = shape_of(RunSerializer).fields["server_time"].to_representation(timezone.now())
    clock = b'"server_time":"%b"' % now.encode()
    return [(cached.get(_key(run, shows_rows)) or written[run.pk]).replace(_CLOCK, clock) for run in runs]


def _written(run_ids: Iterable[str], shows_rows: bool) -> Iterable[tuple[str, bytes]]:
    for run in selectors.runs_whole(run_ids):
        shown = shape_of(RunSerializer).to_representation(selectors.run_view(run, shows_rows=shows_rows))
        answer = JSONRenderer().render({**shown, "server_time": "@"})
        # Whose approval counts changes with the rights of users, not with the run.
        if len(answer) <= MAX_CACHED_BYTES and run.state != RunState.WAITING_APPROVAL:
            caches[CACHE].set(_key(run, shows_rows), answer)
        yield run.pk, answer


def _key(run: Run, shows_rows: bool) -> str:
    """All that a response depends on; end and epoch are for a database restored from an earlier copy.

    Of the run as read before its steps: a change meanwhile makes a version that has no cached response yet.
    """
    ended = run.ended_at.timestamp() if run.ended_at else 0
    return f"{run.pk}:{run.version}:{run.epoch}:{ended}:{run.state}:{shows_rows:d}"
