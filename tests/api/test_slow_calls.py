"""A view's method that leaves the process holds its thread for as long as somebody else does not answer."""

from __future__ import annotations

import pytest

from backend.clusters.secret_stores import http_json
from backend.common.outgoing import http_client, http_fetch
from backend.gateway.connection import python_login
from backend.gateway.connection.session import Session
from backend.identity.single_sign_on.ldap import directory
from backend.identity.single_sign_on.oidc import provider
from tests.support.call_graph import way_to
from tests.support.routes import tabled_routes

OUTSIDE = (Session, python_login.open_login, http_client.post, http_fetch.fetch, http_json.call, directory._connected)
BOUNDED = (provider.call, directory.sign_in)
"""They wait in a room of their own: who calls them need not be signed in, and has no count."""
METHODS = [
    (route.view, method)
    for route in tabled_routes()
    for method in ("get", "post", "put", "patch", "delete")
    if hasattr(route.view, method)
]


@pytest.mark.parametrize(("view", "method"), METHODS, ids=[f"{m} {v.__name__}" for v, m in METHODS])
def test_view__leaves_the_process__is_limited(view: type, method: str) -> None:
    way = way_to(getattr(view, method), OUTSIDE, past=BOUNDED)
    assert not way or getattr(getattr(view, method), "is_limited", False), " > ".join(way)
