"""The JSON parser: UTF-8, limited size, depth and members, no NaN, no repeated member, an object at the top."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from backend.common.errors import ProblemError

MAX_DEPTH = 32
MAX_MEMBERS = 5_000
"""Limit of object members and list items. The largest call is a thousand decisions of three members."""
NAME_SHOWN = 80


class StrictJSONParser(BaseParser):
    """Refuses what a lenient parser would accept."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body as plain data."""
        body = stream.read(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
        if len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            raise ProblemError(
                413, "body_too_large", "The request is larger than 1 MiB. Nothing was done. Send at most 1 MiB."
            )
        try:
            data = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant, object_pairs_hook=_object)
        except (ValueError, RecursionError) as error:
            raise ProblemError(400, "malformed_json", f"The body is not valid JSON: {error}") from error
        if not isinstance(data, dict):
            raise ProblemError(400, "malformed_json", "The body is not a JSON object. Send an object.")
        _refuse_unbounded(data)
        return data


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(members)
    if len(made) < len(members):
        name = next(name for name, times in Counter(name for name, _ in members).items() if times > 1)
        detail = f"The body names {name[:NAME_SHOWN]!r} more than once in one object. Send it once."
        raise ProblemError(400, "malformed_json", detail)
    return made


def _refuse_unbounded(data: Any) -> None:
    """Refuse the data at the first exceeded limit."""
    members, waiting = 0, [(data, 1)]
    while waiting:
        value, depth = waiting.pop()
        children = value.values() if isinstance(value, dict) else value
        members += len(children)
        if members > MAX_MEMBERS:
            detail = f"The body has more than {MAX_MEMBERS:,} members, which is the limit. No call needs that many."
            raise ProblemError(400, "malformed_json", detail)
        if children and depth >= MAX_DEPTH:
            raise ProblemError(
                400, "malformed_json", f"The body is nested more than {MAX_DEPTH} levels deep, which is the limit."
            )
        waiting.extend((child, depth + 1) for child in children if isinstance(child, dict | list))
