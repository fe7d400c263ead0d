"""Role x endpoint, taken from the URL map: a route that was forgotten fails here."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from backend.common.rest.views import ConsoleView
from backend.common.roles import Permission, Role, may
from tests.support.console import Caller
from tests.support.routes import tabled_routes

PUBLIC = {
    ("GET", "session"),
    ("POST", "session"),
    ("GET", "healthz"),
    ("GET", "readyz"),
    ("GET", "metrics"),
    ("GET", "network-probe"),
    ("POST", "network-results"),
}
FROM_A_SESSION = {("POST", "tokens"), ("POST", "password"), ("POST", "push-subscriptions")}
"""What a token may not, whatever its role."""
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

TABLED = tabled_routes()
API_ONLY = [route for route in TABLED if route.path.startswith("api/v1/")]


def test_url_map__every_route__states_what_its_methods_need() -> None:
    for route in TABLED:
        view, path = route.view, route.path
        assert issubclass(view, ConsoleView), path
        assert view.permissions, path
        for method, needed in view.permissions.items():
            assert hasattr(view, method.lower()), (path, method)
            assert needed is not None or (method, route.name) in PUBLIC, (path, method)
        stated = {m for m in METHODS if hasattr(view, m.lower())}
        assert stated == set(view.permissions), path


@pytest.mark.parametrize("role", [role.value for role in Role])
def test_endpoint__each_role__gets_what_the_table_says(as_role: Callable[[str], Caller], role: str) -> None:
    caller = as_role(role)
    for route in API_ONLY:
        if route.name in ("session", "audit-verify") or route.is_stream:
            continue
        for method in METHODS:
            answer = caller.call(method, route.address, None if method == "GET" else {"never": "taken"})
            needed, cell = route.view.permissions.get(method), (method, route.path, answer.body)
            if method not in route.view.permissions:
                assert answer.status == 405, cell
            elif needed is not None and not may(role, needed):
                assert answer.status == 403, cell
                assert needed.value in answer.body["detail"]
            else:
                is_refused = answer.status in (401, 403, 405)
                assert not is_refused or (method, route.name) in FROM_A_SESSION, cell
                assert answer.status < 500, cell


def test_roles__order__each_includes_the_one_before_but_auditor() -> None:
    held = [{p for p in Permission if may(role, p)} for role in Role if role is not Role.AUDITOR]
    assert all(lower <= higher for lower, higher in itertools.pairwise(held))
    assert held[-1] == set(Permission)
