"""Role x endpoint, taken from the URL map: a route that was forgotten fails here."""

from __future__ import annotations

import itertools
import re

import pytest

from backend.common.rest import permissions
from backend.common.rest.scope import WITHOUT_SCOPE, is_scoped
from backend.common.rest.views import ConsoleView
from backend.common.roles import Permission, Role, may
from backend.identity.accounts.models import User
from tests.support.access import METHODS
from tests.support.console import API, PASSWORD, make_user
from tests.support.page import Page
from tests.support.routes import tabled_routes

PUBLIC = {
    ("GET", "session"),
    ("POST", "session"),
    ("POST", "second-factor"),
    ("POST", "second-factor-options"),
    ("POST", "passkey-sign-in"),
    ("POST", "passkey-sign-in-options"),
    ("GET", "healthz"),
    ("GET", "readyz"),
    ("GET", "network-probe"),
    ("POST", "network-results"),
    ("GET", "sign-in-methods"),
    ("POST", "oidc"),
    ("POST", "oidc-callback"),
    ("POST", "oidc-back-channel-logout"),
}

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


def test_call__its_check_fails_with_an_exception__is_not_carried_out(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_args: object) -> bool:
        raise RuntimeError

    make_user("anna", "admin", PASSWORD)
    page = Page()
    page.sign_in("anna")
    monkeypatch.setattr(permissions, "is_allowed", failing)
    assert page.client.get(f"{API}/users").status_code == 500
    created = page.send("POST", f"{API}/users", {"username": "otto", "role": "viewer", "password": PASSWORD})
    assert created.status_code == 500
    assert not User.objects.filter(username="otto").exists()


def test_parameters__of_every_path__belong_to_links_or_to_none() -> None:
    for route in API_ONLY:
        for name in re.findall(r"<str:(\w+)>", route.path):
            assert is_scoped(name) != (name in WITHOUT_SCOPE), (name, route.path)


def test_roles__order__each_includes_the_one_before_but_auditor() -> None:
    held = [{p for p in Permission if may(role, p)} for role in Role if role is not Role.AUDITOR]
    assert all(lower <= higher for lower, higher in itertools.pairwise(held))
    assert held[-1] == set(Permission)
