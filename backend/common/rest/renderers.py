"""Renderers for media types other than JSON, for negotiation and schema; errors are always problem JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request


class _FileRenderer(JSONRenderer):
    """The base for views that build their own response; only problems are rendered here."""

    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """Render problems as JSON."""
        return super().render(data, "application/json", renderer_context)


class JsonLinesRenderer(_FileRenderer):
    """One JSON object per line."""

    media_type = "application/jsonl"
    format = "jsonl"


class SqlRenderer(_FileRenderer):
    """SQL statements."""

    media_type = "application/sql"
    format = "sql"


class CsvRenderer(_FileRenderer):
    """Comma-separated values."""

    media_type = "text/csv"
    format = "csv"


class MarkdownRenderer(_FileRenderer):
    """Markdown."""

    media_type = "text/markdown"
    format = "md"


class EventStreamRenderer(_FileRenderer):
    """Server-Sent Events."""

    media_type = "text/event-stream"
    format = "sse"


class MetricsRenderer(_FileRenderer):
    """Prometheus text format."""

    media_type = "text/plain"
    format = "txt"


class FirstRenderer(BaseContentNegotiation):
    """Uses the view's one response format, whatever the caller accepts."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        """The first parser."""
        return parsers[0] if parsers else None

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The first renderer."""
        return renderers[0], renderers[0].media_type
