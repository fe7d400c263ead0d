"""The REST views of event streams."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request

from backend.api.event_feed import Wanted
from backend.api.sse import event_stream
from backend.clusters.selectors import link_get
from backend.common.errors import invalid
from backend.common.rest.limits import streams
from backend.common.rest.operations import operation
from backend.common.rest.renderers import EventStreamRenderer, FirstRenderer
from backend.common.rest.scope import Where, privileges_of
from backend.common.rest.views import ConsoleView
from backend.common.roles import Permission
from backend.identity.accounts.authentication import is_still_authenticated
from backend.identity.accounts.principal import principal
from backend.operations.runs.selectors import run_get

_LAST = OpenApiParameter(
    "Last-Event-ID",
    {"type": "string", "pattern": "^[0-9]{1,18}$"},
    OpenApiParameter.HEADER,
    description="Id of the last event received; the stream resumes after it.",
)
_ANSWER = {(200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, description="Server-Sent Events.")}


class _StreamView(ConsoleView):
    permissions = {"GET": Permission.READ}
    renderer_classes = [EventStreamRenderer]
    content_negotiation_class = FirstRenderer

    def follow(self, request: Request, *, link_id: str = "", run_id: str = "") -> StreamingHttpResponse:
        """Stream the matching events."""
        readable = None if link_id or run_id else privileges_of(request).links_with(Permission.READ)
        wanted = Wanted(link_id, run_id, readable)
        last_id, is_allowed, caller = _last_id(request), _still_allowed(request), principal(request).username
        streams.acquire(caller)
        return event_stream(wanted, last_id, is_allowed, partial(streams.release, caller))


def _last_id(request: Request) -> int | None:
    given = request.headers.get("Last-Event-ID", "")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 18):
        raise invalid("Last-Event-ID", "The Last-Event-ID is not valid. Send the id of the last event you received.")
    return int(given)


def _still_allowed(request: Request) -> Callable[[], bool]:
    """Whether the caller is still authenticated, checked like a new request."""
    user, auth, key = principal(request), request.auth, privileges_of(request).key
    return lambda: is_still_authenticated(user, auth, key)


class AllEventsView(_StreamView):
    """The events of all links and runs that the caller may read."""

    where = Where.READABLE

    @operation("events_follow", "Stream all events", codes=("too_many_streams",), parameters=[_LAST], responses=_ANSWER)
    def get(self, request: Request) -> StreamingHttpResponse:
        """Stream the events of all links and runs that the caller may read as Server-Sent Events."""
        return self.follow(request)


class LinkEventsView(_StreamView):
    """The events of one link."""

    @operation(
        "link_events_follow",
        "Stream events of a link",
        codes=("too_many_streams",),
        parameters=[_LAST],
        responses=_ANSWER,
    )
    def get(self, request: Request, link_id: str) -> StreamingHttpResponse:
        """Stream the events of one link and its runs as Server-Sent Events."""
        return self.follow(request, link_id=link_get(link_id).id)


class RunEventsView(_StreamView):
    """The events of one run."""

    @operation(
        "run_events_follow",
        "Stream events of a run",
        codes=("too_many_streams",),
        parameters=[_LAST],
        responses=_ANSWER,
    )
    def get(self, request: Request, run_id: str) -> StreamingHttpResponse:
        """Stream the events of one run as Server-Sent Events."""
        return self.follow(request, run_id=run_get(run_id).id)
