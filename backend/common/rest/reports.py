"""Reports over HTTP: the same document as Markdown or as JSON with the facts it was built from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import HttpResponse, JsonResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.utils.encoders import JSONEncoder

from backend.common.rest.outputs import serializer_of
from backend.common.rest.serializers import StrictSerializer
from backend.core.documents.markdown import to_markdown
from backend.core.documents.model import Document

FORMATS: Final = ["md", "json"]


class ReportQuerySerializer(StrictSerializer):
    """The rendering of a report."""

    format = serializers.ChoiceField(
        choices=FORMATS, default="md", help_text="Markdown, or JSON with the facts and the document"
    )


@dataclass(frozen=True, slots=True)
class Report:
    """A report: the document, and the facts from which it was built."""

    generated_at: datetime
    facts: Mapping[str, Any]
    document: Document


MARKDOWN_RESPONSES: Final = {
    (200, "text/markdown"): OpenApiResponse(OpenApiTypes.STR, description="A Markdown document.")
}
REPORT_RESPONSES: Final = MARKDOWN_RESPONSES | {
    (200, "application/json"): OpenApiResponse(serializer_of(Report), description="With `format=json`.")
}


def report_response(document: Document, *, facts: Mapping[str, Any], format: str, name: str) -> HttpResponse:  # noqa: A002
    """The report in the chosen rendering, as a file of that name."""
    if format == "md":
        return markdown_response(to_markdown(document), name)
    body = {"generated_at": timezone.now(), "facts": facts, "document": document.to_json()}
    response = JsonResponse(body, encoder=JSONEncoder)
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


def markdown_response(text: str, name: str) -> HttpResponse:
    """A Markdown file of that name."""
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.md"'
    return response
