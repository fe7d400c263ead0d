"""Caches responses that many clients request at once.

In an incident every screen and every tool requests the same few things over and over, and each takes some ten queries.
A response is cached for up to a second, which is the poll interval, and never past a change: the audit chain's head
moves with whatever a user or a worker does (its lock orders the writers), the newest event with what the monitor
observed. With many links the monitor observes something all the time: what shows all of them is cached regardless of
that, so it is at most a second old.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

from django.core.cache import caches
from django.db.models import Subquery
from django.http import HttpResponse
from rest_framework.serializers import Serializer

from backend.audit.models import AuditHead
from backend.common.events.models import Event
from backend.common.rest.preconditions import with_etag
from backend.common.rest.views import render_json, respond_json

CACHE = "kept"


def cached(
    name: str,
    serializer: type[Serializer[Any]] | None,
    make: Callable[[], dict[str, Any] | bytes],
    *,
    until_observed: bool = True,
) -> HttpResponse:
    """The response of that name, built if none was cached in this second and since the last change.

    Only for data that is the same for every caller who may read. `make` returns data for the serializer, or the answer
    itself, also as JSON, where there is none; its `version`, if it has one, is the ETag. Without `until_observed` an
    observation of the monitor does not outdate it.
    """
    key = _digest(f"{name}:{_stamp(until_observed=until_observed)}:{int(time.monotonic())}")
    stored = caches[CACHE].get(key)
    if stored is None:
        data = make()
        stored = (data, None) if isinstance(data, bytes) else (render_json(serializer, data), data.get("version"))
        caches[CACHE].set(key, stored)
    answer, version = stored
    return respond_json(answer) if version is None else with_etag(respond_json(answer), version)


def _stamp(*, until_observed: bool) -> str:
    """The last change, read before the response is built, so that a change meanwhile invalidates it."""
    newest = Event.objects.order_by("-id").values("id")[:1]
    heads = AuditHead.objects.annotate(newest_event=Subquery(newest)) if until_observed else AuditHead.objects
    head = heads.values_list("seq", "hash", *(["newest_event"] if until_observed else [])).first()
    return "none" if head is None else "-".join(map(str, head))


def _digest(text: str) -> str:
    """An id in a name comes from the caller, with any length and any characters."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
