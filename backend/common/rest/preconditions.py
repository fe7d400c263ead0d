"""Optimistic locking over HTTP: a read names its version as ETag, a change names the version that it was decided on."""

from __future__ import annotations

import re
from typing import TypeVar

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from backend.common.errors import ProblemError, invalid

R = TypeVar("R", Response, HttpResponse)
HEADER = "If-Match"
_ETAG = re.compile(r'^"([1-9][0-9]{0,9})"$')

IF_MATCH = OpenApiParameter(
    HEADER,
    {"type": "string", "pattern": r'^("[1-9][0-9]{0,9}"|\*)$'},
    OpenApiParameter.HEADER,
    required=True,
    description="ETag of the version that the change is based on, or `*` for any.",
)


def required_version(request: Request) -> int | None:
    """The version that the caller read; None for any. 428 without the header, 400 where it is not an ETag of ours."""
    given = request.headers.get(HEADER)
    if given is None:
        raise ProblemError(
            428,
            "precondition_required",
            "This change needs the header If-Match. Nothing was changed. Send the ETag that you read, or * for any.",
            errors=[{"field": HEADER, "message": "Send the ETag of the version that you read."}],
        )
    if given.strip() == "*":
        return None
    match = _ETAG.match(given.strip())
    if match is None:
        raise invalid(HEADER, 'This is not an ETag of this console. Send it with its quotes, such as "7".')
    return int(match[1])


def with_etag(response: R, version: int) -> R:
    """The response with its version as ETag."""
    response["ETag"] = f'"{version}"'
    return response
