"""Other media types than JSON: named for negotiation and schema; faults are always problem JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request


class _FileRenderer(JSONRenderer):
    """Views that use it answer with a response of their own; only problems come through here."""

    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Problems as JSON."""
        return super().render(data, "application/json", renderer_context)


class JsonLinesRenderer(_FileRenderer):
    """One JSON object a line."""

    media_type = "application/jsonl"
    format = "jsonl"


class SqlRenderer(_FileRenderer):
    """Statements."""

    media_type = "application/sql"
    format = "sql"


class CsvRenderer(_FileRenderer):
    """Comma-separated values."""

    media_type = "text/csv"
    format = "csv"


class MarkdownRenderer(_FileRenderer):
    """Text for people."""

    media_type = "text/markdown"
    format = "md"


class EventStreamRenderer(_FileRenderer):
    """Server-Sent Events."""

    media_type = "text/event-stream"
    format = "sse"


class MetricsRenderer(_FileRenderer):
    """Prometheus text."""

    media_type = "text/plain"
    format = "txt"


class FirstRenderer(BaseContentNegotiation):
    """The view has one answer form; what the caller accepts does not change it."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """The first."""
        return parsers[0] if parsers else None

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first."""
        return renderers[0], renderers[0].media_type
