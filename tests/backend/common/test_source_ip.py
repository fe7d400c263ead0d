"""Which address a request came from; tests/deploy/test_forwarded_address.py asks a real server the same."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory

from backend.common.rest.middleware import source_ip

pytestmark = pytest.mark.no_database

REQUEST = RequestFactory(REMOTE_ADDR="127.0.0.1").get("/", headers={"X-Forwarded-For": "203.0.113.77, 198.51.100.4"})


def test_source_ip__no_proxy_declared__is_the_peer(settings: Any) -> None:
    settings.HAWSER_BEHIND_PROXY = False
    assert source_ip(REQUEST) == "127.0.0.1"


def test_source_ip__behind_a_proxy__is_what_the_proxy_added(settings: Any) -> None:
    settings.HAWSER_BEHIND_PROXY = True
    assert source_ip(REQUEST) == "198.51.100.4"
