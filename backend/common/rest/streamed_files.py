"""Answers that are streamed as a file to be saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.http import StreamingHttpResponse

_TYPES: Final = {"csv": "text/csv", "jsonl": "application/jsonl", "sql": "application/sql"}


def streamed_file(lines: Iterable[str], *, name: str, form: str) -> StreamingHttpResponse:
    """The lines as the file `name.form`; `form` is csv, jsonl or sql."""
    response = StreamingHttpResponse(lines, content_type=f"{_TYPES[form]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return response
