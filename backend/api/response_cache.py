"""Answers that many ask for at once, kept for a moment.

In an incident every screen and every tool asks for the same few things over and over, and each is some ten
queries. An answer is kept for a second at most, which is as often as nodes are asked, and never past a change:
the audit chain's head moves with whatever a person or a worker does (its lock orders the writers), the newest
event with what the monitor found.
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
from backend.common.rest.views import render_json, respond_json

CACHE = "kept"


def cached(name: str, serializer: type[Serializer[Any]], make: Callable[[], Any]) -> HttpResponse:
    """The answer of that name, made where nothing was kept in this second and since the last change.

    Only for what every caller with the right to read sees alike. `make` returns data in the serializer's shape.
    """
    key = _digest(f"{name}:{_stamp()}:{int(time.monotonic())}")
    answer = caches[CACHE].get(key)
    if answer is None:
        answer = render_json(serializer, make())
        caches[CACHE].set(key, answer)
    return respond_json(answer)


def _stamp() -> str:
    """Of the last change; read before the answer is made, so that one meanwhile ends what is kept."""
    newest = Event.objects.order_by("-id").values("id")[:1]
    head = AuditHead.objects.annotate(newest_event=Subquery(newest)).values_list("seq", "hash", "newest_event").first()
    return "none" if head is None else "-".join(map(str, head))


def _digest(text: str) -> str:
    """An id in a name is as its caller wrote it, at any length and in any letters."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
