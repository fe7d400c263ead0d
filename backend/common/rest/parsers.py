"""JSON in: UTF-8, bounded in size and depth, no NaN, an object at the top."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from backend.common.errors import ProblemError

MAX_DEPTH = 32


class StrictJSONParser(BaseParser):
    """Refuses what a lenient parser would let through."""

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
            raise ProblemError(413, "body_too_large", "Send at most 1 MiB in one request.")
        try:
            data = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            raise ProblemError(400, "malformed_json", f"The body is not valid JSON: {error}") from error
        if not isinstance(data, dict):
            raise ProblemError(400, "malformed_json", "Send a JSON object.")
        if _depth(data) > MAX_DEPTH:
            raise ProblemError(400, "malformed_json", f"The body is nested deeper than {MAX_DEPTH} levels.")
        return data


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _depth(data: Any, depth: int = 1) -> int:
    if depth > MAX_DEPTH or not isinstance(data, dict | list):
        return depth
    children = data.values() if isinstance(data, dict) else data
    return max((_depth(child, depth + 1) for child in children), default=depth)
