"""Middleware for the id of every request, used by response, log, audit log and run, and for the client's address."""

from __future__ import annotations

import hmac
import re
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from backend.common.request_context import RequestContext, current

_ACCEPTED = re.compile(r"^[A-Za-z0-9_.-]{8,64}$")
_STATED_BY_PROXY = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED")


class RequestIdMiddleware:
    """Accepts a well-formed X-Request-ID of the caller, creates one otherwise, and returns it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Set the request's context, call the view, add the id to the response."""
        self._enter(request)
        answer = self.get_response(request)
        answer.headers["X-Request-ID"] = request.META["HTTP_X_REQUEST_ID"]
        return answer

    def _enter(self, request: HttpRequest) -> None:
        # Not request.headers: it is cached, and reading it here would fix it before the id is set.
        given = str(request.META.get("HTTP_X_REQUEST_ID", ""))
        request_id = given if _ACCEPTED.match(given) else uuid.uuid4().hex
        request.META["HTTP_X_REQUEST_ID"] = request_id
        current.set(RequestContext(request_id=request_id, source_ip=source_ip(request)))


class ProxyHeadersMiddleware:
    """Drops what a proxy states of the client, unless the declared proxy proves that it states it.

    It comes first: whatever reads these headers later, reads the proxy's.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Remove the headers of any other caller, and the proof itself in any case."""
        if not _is_of_proxy(str(request.META.pop("HTTP_X_HAWSER_PROXY", ""))):
            for name in _STATED_BY_PROXY:
                request.META.pop(name, None)
        return self.get_response(request)


def _is_of_proxy(proof: str) -> bool:
    """Whether the proof is right. Without a secret nothing is proved, and demo and debug alone go on."""
    secret = settings.HAWSER_PROXY_SECRET
    if not secret:
        return bool(settings.HAWSER_PROXY_UNPROVED)
    return hmac.compare_digest(proof.encode(), secret.encode())


def source_ip(request: HttpRequest) -> str:
    """The client's address; the header of a proxy counts only if a proxy is configured."""
    if settings.HAWSER_BEHIND_PROXY:
        forwarded = str(request.META.get("HTTP_X_FORWARDED_FOR", ""))
        last = forwarded.rsplit(",", maxsplit=1)[-1].strip()
        if last:
            return last[:45]
    return str(request.META.get("REMOTE_ADDR", ""))[:45]
