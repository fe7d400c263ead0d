"""Turns every error into RFC 9457 problem details."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.core.signals import got_request_exception
from django.db import DatabaseError, InterfaceError, InternalError, OperationalError
from django.http import Http404, HttpRequest, JsonResponse
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from backend.common.code_pages import title_of
from backend.common.errors import ProblemError
from backend.common.request_context import current

CONTENT_TYPE = "application/problem+json"
MAX_ERRORS = 50
"""Limit of reported fields: a response must not grow with the request."""
log = structlog.get_logger(__name__)


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's hook: every exception becomes a problem; unknown ones are logged with their traceback."""
    problem = translate(exc)
    if problem.status >= 500:
        log.error("request.failed", code=problem.code, exc_info=exc)
        if problem.status == 500:
            got_request_exception.send(sender=None, request=context.get("request"))
    set_rollback()
    response = Response(body_of(problem), status=problem.status, content_type=CONTENT_TYPE)
    for name, value in problem.headers.items():
        response[name] = value
    return response


def translate(exc: Exception) -> ProblemError:
    """The problem that stands for an exception."""
    if isinstance(exc, ProblemError):
        return exc
    if isinstance(exc, Http404):
        return ProblemError(404, "not_found", "No such address or object exists, or you have no access to it.")
    if isinstance(exc, PermissionDenied):
        return ProblemError(403, "forbidden", "Your role does not allow this. Nothing was done.")
    if isinstance(exc, RequestDataTooBig):
        return ProblemError(
            413, "body_too_large", "The request is larger than 1 MiB. Nothing was done. Send at most 1 MiB."
        )
    # InternalError: a number below 1000 is a file of the server that it cannot write (mysqlclient, _mysql.c).
    if isinstance(exc, OperationalError | InterfaceError | InternalError):
        return _database_away()
    if isinstance(exc, exceptions.ValidationError):
        return _validation(exc)
    if isinstance(exc, exceptions.APIException):
        return _api(exc)
    if isinstance(exc, DatabaseError):
        log.error("database.refused", exc_info=exc)
    return ProblemError(500, "internal_error", "Internal error. Search the server logs for this request_id.")


def body_of(problem: ProblemError) -> dict[str, Any]:
    """The members of the response."""
    return {
        "type": f"urn:hawser:problem:{problem.code}",
        "title": title_of(problem.code),
        "status": problem.status,
        "detail": problem.detail,
        "code": problem.code,
        "errors": problem.errors,
        "request_id": current.get().request_id,
        **problem.extra,
    }


def _database_away() -> ProblemError:
    detail = "Hawser's own database is not responding. Managed clusters are not affected. Retry in a few seconds."
    return ProblemError(503, "console_database_unavailable", detail, headers={"Retry-After": "5"})


def _validation(exc: exceptions.ValidationError) -> ProblemError:
    errors = [{"field": field, "message": message} for field, message in islice(_flatten(exc.detail), MAX_ERRORS)]
    first = errors[0] if errors else {"field": "", "message": "The request is not valid."}
    detail = f"{first['field']}: {first['message']}" if first["field"] else first["message"]
    return ProblemError(400, "validation_failed", detail, errors=errors)


def _flatten(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(detail, Mapping):
        for key, value in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            yield from _flatten(value, ".".join(part for part in (path, name) if part))
    elif isinstance(detail, list):
        for index, value in enumerate(detail):
            yield from _flatten(value, f"{path}.{index}" if isinstance(value, Mapping) else path)
    else:
        yield path, str(detail)


_CODES = {
    "not_authenticated": "not_authenticated",
    "authentication_failed": "authentication_failed",
    "permission_denied": "forbidden",
    "method_not_allowed": "method_not_allowed",
    "not_acceptable": "not_acceptable",
    "unsupported_media_type": "unsupported_media_type",
    "throttled": "throttled",
    "parse_error": "malformed_json",
    "not_found": "not_found",
    "error": "internal_error",
}
"""By the framework's code, the console's; the catalogue has an entry for each."""


def _api(exc: exceptions.APIException) -> ProblemError:
    code = exc.get_codes()
    name = code if isinstance(code, str) else exc.default_code
    headers = {}
    # Set by the view on exceptions that need a sign-in.
    challenge = getattr(exc, "auth_header", None)
    if challenge:
        headers["WWW-Authenticate"] = challenge
    detail = str(exc.detail)
    if detail.startswith("CSRF Failed"):
        return _csrf(detail)
    unlisted = "bad_request" if exc.status_code < 500 else "internal_error"
    return ProblemError(exc.status_code, _CODES.get(name, unlisted), detail, headers=headers)


def _csrf(reason: str) -> ProblemError:
    remedy = "Read the csrftoken cookie (GET /api/v1/session sets it) and send it as X-CSRFToken."
    return ProblemError(403, "csrf_failed", f"{reason.rstrip('.')}. {remedy}")


def problem_response(problem: ProblemError) -> JsonResponse:
    """A problem as a response outside of the REST framework."""
    return JsonResponse(body_of(problem), status=problem.status, content_type=CONTENT_TYPE, headers=problem.headers)


def csrf_failure(_request: HttpRequest, reason: str = "") -> JsonResponse:
    """Django's CSRF_FAILURE_VIEW."""
    return problem_response(_csrf(f"CSRF Failed: {reason}"))


def page_not_found(_request: HttpRequest, exception: Exception | None = None) -> JsonResponse:
    """The response for unknown addresses below /api."""
    return problem_response(
        ProblemError(404, "not_found", "No such address or object exists, or you have no access to it.")
    )


def server_error(_request: HttpRequest) -> JsonResponse:
    """Django's handler500."""
    return problem_response(
        ProblemError(500, "internal_error", "Internal error. Search the server logs for this request_id.")
    )


def bad_request(_request: HttpRequest, exception: Exception | None = None) -> JsonResponse:
    """Django's handler400 (host not allowed, broken headers)."""
    return problem_response(
        ProblemError(400, "bad_request", "The request is malformed or its host is not allowed. Nothing was done.")
    )
