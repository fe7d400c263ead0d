"""Which address a request came from; tests/deploy/test_forwarded_address.py asks a real server the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from backend.common.rest.middleware import ProxyHeadersMiddleware, source_ip

pytestmark = pytest.mark.no_database

REQUEST = RequestFactory(REMOTE_ADDR="127.0.0.1").get("/", headers={"X-Forwarded-For": "203.0.113.77, 198.51.100.4"})


def test_source_ip__no_proxy_declared__is_the_peer(settings: Any) -> None:
    settings.HAWSER_BEHIND_PROXY = False
    assert source_ip(REQUEST) == "127.0.0.1"


def test_source_ip__behind_a_proxy__is_what_the_proxy_added(settings: Any) -> None:
    settings.HAWSER_BEHIND_PROXY = True
    assert source_ip(REQUEST) == "198.51.100.4"


SECRET = "0123456789abcdef" * 2


@pytest.mark.parametrize(
    ("secret", "proof", "unproved", "source"),
    [
        (SECRET, SECRET, False, "198.51.100.4"),
        (SECRET, "0123456789abcdee" * 2, True, "127.0.0.1"),
        (SECRET, "", True, "127.0.0.1"),
        ("", "", False, "127.0.0.1"),
        ("", "", True, "198.51.100.4"),
    ],
)
def test_forwarded_headers__of_who_cannot_prove_to_be_the_proxy__dropped(
    settings: Any, secret: str, proof: str, unproved: bool, source: str
) -> None:
    settings.HAWSER_BEHIND_PROXY, settings.HAWSER_PROXY_SECRET, settings.HAWSER_PROXY_UNPROVED = True, secret, unproved
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"X-Forwarded-For": "203.0.113.77, 198.51.100.4", "X-Forwarded-Proto": "https", "X-Hawser-Proxy": proof}
    request = RequestFactory(REMOTE_ADDR="127.0.0.1").get("/", headers=headers)
    ProxyHeadersMiddleware(lambda _: HttpResponse())(request)
    assert (source_ip(request), request.is_secure()) == (source, source != "127.0.0.1")
    assert "HTTP_X_HAWSER_PROXY" not in request.META
