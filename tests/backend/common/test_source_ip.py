"""Which address a request came from; tests/deploy/test_forwarded_address.py asks a real server the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from backend.common.rest.middleware import ProxyHeadersMiddleware, source_ip

REQUEST = RequestFactory(REMOTE_ADDR="127.0.0.1").get("/", headers={"X-Forwarded-For": "203.0.113.77, 198.51.100.4"})


def test_source_ip__no_proxy_declared__is_the_peer(settings: Any) -> None:
    settings.HAWSER_BEHIND_PROXY = False
    assert source_ip(REQUEST) == "127.0.0.1"


def test_source_ip__behind_a_proxy__is_what_the_proxy_added(settings: Any) -> None:
    settings.HAWSER_BEHIND_PROXY = True
    assert source_ip(REQUEST) == "198.51.100.4"


SECRET = "0123456789abcdef" * 2


def source_of(settings: Any, secret: str, proof: str, *, unproved: bool) -> tuple[str, bool]:
    """The address of a request with the headers of a proxy, and whether it is one over TLS."""
    settings.HAWSER_BEHIND_PROXY, settings.HAWSER_PROXY_SECRET, settings.HAWSER_PROXY_UNPROVED = True, secret, unproved
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    headers = {"X-Forwarded-For": "203.0.113.77, 198.51.100.4", "X-Forwarded-Proto": "https", "X-Hawser-Proxy": proof}
    request = RequestFactory(REMOTE_ADDR="127.0.0.1").get("/", headers=headers)
    ProxyHeadersMiddleware(lambda _: HttpResponse())(request)
    assert "HTTP_X_HAWSER_PROXY" not in request.META
    return source_ip(request), request.is_secure()


@pytest.mark.parametrize("proof", ["0123456789abcdee" * 2, "", SECRET[:-1]])
def test_forwarded_headers__of_who_cannot_prove_to_be_the_proxy__dropped(settings: Any, proof: str) -> None:
    assert source_of(settings, SECRET, proof, unproved=True) == ("127.0.0.1", False)


def test_forwarded_headers__of_the_proxy_that_proves_itself__believed(settings: Any) -> None:
    assert source_of(settings, SECRET, SECRET, unproved=False) == ("198.51.100.4", True)


def test_forwarded_headers__without_a_secret__believed_in_demo_and_debug_alone(settings: Any) -> None:
    assert source_of(settings, "", "", unproved=False) == ("127.0.0.1", False)
    assert source_of(settings, "", "", unproved=True) == ("198.51.100.4", True)
