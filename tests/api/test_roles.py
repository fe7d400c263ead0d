"""Role x endpoint, taken from the URL map: a route nobody thought of fails here."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from backend.common.rest.views import ConsoleView
from backend.common.roles import Permission, Role, may
from tests.support.console import Caller

PUBLIC = {
    ("GET", "session"),
    ("POST", "session"),
    ("GET", "healthz"),
    ("GET", "readyz"),
    ("GET", "metrics"),
}
FROM_A_SESSION = {("POST", "tokens"), ("POST", "password")}
"""What a token may not, whatever its role."""
OUTSIDE_THE_TABLE = {"schema", "docs", "page", None}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def _routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _routes(entry.url_patterns, path)
        else:
            yield path, entry


def _views() -> list[tuple[str, str | None, type[ConsoleView] | None]]:
    found = []
    for path, entry in _routes(get_resolver().url_patterns):
        view = getattr(entry.callback, "view_class", None) or getattr(entry.callback, "cls", None)
        found.append((path, entry.name, view))
    return found


TABLED = [(path, name, view) for path, name, view in _views() if name not in OUTSIDE_THE_TABLE]
API_ONLY = [entry for entry in TABLED if entry[0].startswith("api/v1/")]


def _address(path: str) -> str:
    return "/" + re.sub(r"<str:\w+>", "r_aaaaaaaaaaaa", path)


def test_url_map__every_route__states_what_its_methods_need() -> None:
    for path, name, view in TABLED:
        assert view is not None, path
        assert issubclass(view, ConsoleView), path
        assert view.permissions, path
        for method, needed in view.permissions.items():
            assert hasattr(view, method.lower()), (path, method)
            assert needed is not None or (method, name) in PUBLIC, (path, method)
        stated = {m for m in METHODS if hasattr(view, m.lower())}
        assert stated == set(view.permissions), path


@pytest.mark.parametrize(("path", "name", "view"), API_ONLY, ids=[entry[0] for entry in API_ONLY])
def test_endpoint__no_credentials__401_everywhere_but_public(
    db: None, path: str, name: str, view: type[ConsoleView]
) -> None:
    for method in METHODS:
        if (method, name) in PUBLIC and name != "session":
            continue
        answer = Caller().call(method, _address(path), None if method == "GET" else {})
        expected = {401} if name != "session" else {400, 401, 403, 405}
        if name in ("healthz", "readyz"):
            expected = {401, 405}
        assert answer.status in expected, (method, path, answer.body)


@pytest.mark.parametrize("role", [role.value for role in Role])
def test_endpoint__each_role__gets_what_the_table_says(as_role: Callable[[str], Caller], role: str) -> None:
    caller = as_role(role)
    for path, name, view in API_ONLY:
        if name in ("session", "audit-verify") or path.endswith("events"):
            continue
        for method in METHODS:
            answer = caller.call(method, _address(path), None if method == "GET" else {"never": "taken"})
            needed = view.permissions.get(method)
            if method not in view.permissions:
                assert answer.status == 405, (method, path)
            elif needed is not None and not may(role, needed):
                assert answer.status == 403, (method, path)
                assert needed.value in answer.body["detail"]
            else:
                assert answer.status not in (401, 403, 405) or (method, name) in FROM_A_SESSION, (
                    method,
                    path,
                    answer.body,
                )
                assert answer.status < 500, (method, path, answer.body)


def test_roles__order__each_includes_the_one_before() -> None:
    held = [{p for p in Permission if may(role, p)} for role in Role]
    assert all(lower <= higher for lower, higher in itertools.pairwise(held))
    assert held[-1] == set(Permission)
