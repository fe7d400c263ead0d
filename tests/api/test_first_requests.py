"""What the page requests before its scripts are loaded, and how long answers travel."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as configured
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from backend.common.rest.compression import LONG_BYTES, LongAnswersMiddleware

LONG = b'{"a": "' + b"x" * LONG_BYTES + b'"}'


@pytest.fixture
def built(settings: Any, tmp_path: Path) -> None:
    settings.HAWSER_FRONTEND_DIST = tmp_path
    (tmp_path / "index.html").write_text('<script>"HAWSER_FIRST_REQUESTS"</script>')


def test_page__browser_without_a_session__requests_nothing_early(built: None) -> None:
    assert Client().get("/links").content == b'<script>""</script>'


def test_page__browser_with_a_session__requests_session_and_links_at_once(built: None) -> None:
    client = Client()
    client.cookies[configured.SESSION_COOKIE_NAME] = "anything"
    assert client.get("/links").content == b'<script>"/api/v1/session /api/v1/fleet"</script>'


def _passed(answer: HttpResponse | StreamingHttpResponse, *, method: str = "get", takes: str = "gzip, br") -> Any:
    request: HttpRequest = getattr(RequestFactory(), method)("/", headers={"Accept-Encoding": takes})
    return LongAnswersMiddleware(lambda _: answer)(request)


def _json(content: bytes = LONG, **headers: str) -> HttpResponse:
    return HttpResponse(content, content_type="application/json", headers=headers)


def test_long_answer__caller_takes_gzip__compressed() -> None:
    answer = _passed(_json())
    assert answer["Content-Encoding"] == "gzip"
    assert answer["Vary"] == "Accept-Encoding"
    assert gzip.decompress(answer.content) == LONG


@pytest.mark.parametrize(
    ("answer", "how"),
    [
        (_json(), {"takes": "identity"}),
        (_json(), {"method": "post"}),
        (_json(LONG[: LONG_BYTES // 2]), {}),
        (_json(ETag='"7"'), {}),
        (HttpResponse(LONG, content_type="text/html; charset=utf-8"), {}),
        (StreamingHttpResponse([LONG], content_type="text/event-stream"), {}),
    ],
    ids=["not taken", "a change", "short", "with an ETag", "a page", "a stream"],
)
def test_other_answer__as_it_was(answer: HttpResponse, how: dict[str, str]) -> None:
    assert "Content-Encoding" not in _passed(answer, **how).headers
