"""A session must prove its user again before what changes clusters or access, and a role can need a second factor."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import override_settings
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.common.events.models import Event
from backend.common.models import IdempotencyRecord
from backend.common.rest.proof import NOT_ASKED
from backend.common.roles import PERMISSIONS, Role
from backend.identity.accounts.models import ApiToken, ProtectedChange, User
from backend.identity.accounts.persons import are_one_person
from tests.support.access_table import rows
from tests.support.authenticator import Authenticator
from tests.support.console import API, PASSWORD, make_user
from tests.support.page import SESSION, Page
from tests.support.routes import Route, tabled_routes
from tests.support.second_factors import FACTORS, PROOF, SECOND, add_app, add_passkey, challenged, code_of

METHODS = {"POST", "PUT", "PATCH", "DELETE"}
PROOFS = {"configured": "proof", "always": "proof-always"}
"""What a view states -> its mark in the table of calls."""
LATER = timedelta(seconds=1000)
CREATED = {"username": "otto", "role": "viewer", "password": PASSWORD}


@pytest.fixture
def anna_page(db: None) -> Page:
    """An administrator, signed in with the password."""
    make_user("anna", "admin", PASSWORD)
    shown = Page()
    shown.sign_in("anna")
    return shown


@pytest.fixture
def anna_page_later(anna_page: Page, monkeypatch: pytest.MonkeyPatch) -> Page:
    """The same page 1000 seconds after the sign-in."""
    age(anna_page)
    return anna_page


def age(anna_page: Page) -> None:
    """Let the last proof of the session be older."""
    session = anna_page.client.session
    stored = session["hawser_proof"]
    session["hawser_proof"] = stored | {"at": (timezone.now() - LATER).isoformat()}
    session.save()


def test_routes__their_step_up_and_what_is_open_without_a_factor__as_declared() -> None:
    marks = {(row.method, row.path): row.marks for row in rows()}
    for route in tabled_routes():
        for method in route.view.permissions:
            proof = route.view.proof_for(method, route.path)
            found = {PROOFS[proof.value]} if proof is not None else set()
            found |= {"without-factor"} if route.view.open_without_factor else set()
            assert found == marks[method, route.address_in_table], (method, route.path)


@override_settings(HAWSER_STEP_UP_S=900)
def test_step_up__old_proof__refused_then_repeated_with_the_same_key(anna_page_later: Page) -> None:
    def call() -> Any:
        return anna_page_later.client.post(
            f"{API}/users/anna/unlock",
            "{}",
            content_type="application/json",
            headers={"X-CSRFToken": anna_page_later.client.cookies["csrftoken"].value, "Idempotency-Key": "one"},
        )

    refused = call()
    assert (refused.status_code, refused.json().get("code"), refused.json().get("ways")) == (
        403,
        "step_up_needed",
        ["password"],
    )
    assert IdempotencyRecord.objects.count() == 0
    assert anna_page_later.send("POST", PROOF, {"password": PASSWORD}).status_code == 204
    assert call().status_code == 200
    assert AuditRecord.objects.filter(action="session:user:proof", actor="anna").count() == 1


@override_settings(HAWSER_STEP_UP_S=900)
def test_step_up__recent_sign_in__not_asked(anna_page: Page) -> None:
    assert anna_page.send("POST", f"{API}/users", CREATED).status_code == 201


@override_settings(HAWSER_STEP_UP_S=0)
def test_step_up__off__not_asked(anna_page_later: Page) -> None:
    assert anna_page_later.send("POST", f"{API}/users", CREATED).status_code == 201


@override_settings(HAWSER_STEP_UP_S=900)
def test_limit__token_of_an_administrator__changes_users_and_clusters_without_a_proof(as_role: Any) -> None:
    caller = as_role("admin")
    assert caller.call("POST", f"{API}/users", CREATED).status == 201
    assert caller.call("DELETE", f"{API}/clusters/c_unknown").status == 404


@override_settings(HAWSER_STEP_UP_S=900)
def test_step_up__every_change_beyond_operation__refused_to_an_old_session_or_listed(anna_page_later: Page) -> None:
    open_ = set()
    for route in tabled_routes():
        for method in _changes_beyond_operation(route):
            answer = anna_page_later.send(method, route.address, {"never": "taken"})
            if answer.json().get("code") != "step_up_needed":
                open_.add((method, route.path))
    assert open_ == NOT_ASKED.keys()


def _changes_beyond_operation(route: Route) -> set[str]:
    """The route's unsafe methods with a permission that an operator does not have."""
    return {
        method
        for method, needed in route.view.permissions.items()
        if method in METHODS and needed is not None and needed not in PERMISSIONS[Role.OPERATOR]
    }


@override_settings(HAWSER_STEP_UP_S=900)
def test_step_up__every_route_that_states_it__refused_to_an_old_session(anna_page_later: Page) -> None:
    for route in tabled_routes():
        for method in METHODS & route.view.recent_proof.keys() & route.view.permissions.keys():
            answer = anna_page_later.send(method, route.address, {"never": "taken"})
            assert answer.json().get("code") == "step_up_needed", (method, route.path)
            assert method not in _changes_beyond_operation(route), f"{method} {route.path} is asked without its mark"


@override_settings(HAWSER_STEP_UP_S=900)
@pytest.mark.parametrize("call", ["run-abort", "incident-abort", "link-pause"])
def test_step_up__calls_that_stop__not_asked(anna_page_later: Page, call: str) -> None:
    route = next(one for one in tabled_routes() if one.name == call)
    method = "PUT" if call == "link-pause" else "POST"
    assert anna_page_later.send(method, route.address).json()["code"] == "not_found"


@override_settings(HAWSER_STEP_UP_S=0)
def test_adding_a_factor__old_proof__refused_whatever_the_setting(anna_page_later: Page) -> None:
    answer = anna_page_later.send("POST", f"{FACTORS}/app/secret")
    assert (answer.status_code, answer.json().get("code")) == (403, "step_up_needed")


@override_settings(HAWSER_STEP_UP_S=900)
def test_proof__user_with_a_factor__password_is_not_enough(anna_page: Page) -> None:
    secret, _ = add_app(anna_page)
    age(anna_page)
    assert anna_page.send("POST", f"{API}/users", CREATED).json().get("ways") == ["totp", "recovery_code"]
    assert anna_page.send("POST", PROOF, {"password": PASSWORD}).status_code == 400
    assert anna_page.send("POST", f"{API}/users", CREATED).status_code == 403
    assert anna_page.send("POST", PROOF, {"code": code_of(secret)}).status_code == 204
    assert anna_page.send("POST", f"{API}/users", CREATED).status_code == 201


@override_settings(HAWSER_STEP_UP_S=900)
def test_proof__passkey__accepted(anna_page: Page) -> None:
    key = Authenticator()
    add_passkey(anna_page, key)
    age(anna_page)
    assert anna_page.send("POST", PROOF, {"credential": key.get(challenged(anna_page, PROOF))}).status_code == 204
    assert anna_page.send("POST", f"{API}/users", CREATED).status_code == 201


@pytest.mark.parametrize("given", [{}, {"password": PASSWORD, "code": "123456"}, {"password": "wrong"}])
def test_proof__wrong_or_ambiguous__refused(anna_page_later: Page, given: dict[str, str]) -> None:
    assert anna_page_later.send("POST", PROOF, given).status_code in (400, 403)
    assert anna_page_later.send("POST", f"{FACTORS}/app/secret").status_code == 403


@override_settings(HAWSER_SECOND_FACTOR_ROLES=["approver"], HAWSER_METRICS_PUBLIC=False)
def test_required_factor__session_without_one__can_only_add_one(anna_page: Page) -> None:
    assert anna_page.client.get(SESSION).json()["must_add_second_factor"] is True
    for route in tabled_routes():
        if (
            not route.path.startswith("api/v1/")
            or route.view.open_without_factor
            or not route.view.authentication_classes
        ):
            continue
        for method, needed in route.view.permissions.items():
            answer = anna_page.send(method, route.address, {"never": "taken"}) if needed is not None else None
            code = answer.json().get("code") if answer is not None else "second_factor_enrolment_needed"
            assert code == "second_factor_enrolment_needed", (method, route.path)
    add_app(anna_page)
    assert anna_page.client.get(SESSION).json()["must_add_second_factor"] is False
    assert anna_page.client.get(f"{API}/links").status_code == 200
    assert anna_page.send("DELETE", f"{FACTORS}/app").json().get("code") == "last_second_factor"


@override_settings(HAWSER_SECOND_FACTOR_ROLES=["approver"])
def test_required_factor__session_of_before_without_it__asked_for_it(anna_page: Page) -> None:
    other = Page()
    other.sign_in("anna")
    secret, _ = add_app(anna_page)
    assert other.client.get(f"{API}/links").json().get("code") == "step_up_needed"
    assert other.send("POST", PROOF, {"code": code_of(secret)}).status_code == 204
    assert other.client.get(f"{API}/links").status_code == 200


@override_settings(HAWSER_SECOND_FACTOR_ROLES=["approver"])
def test_required_factor__lower_role_and_its_tokens__not_asked(db: None, as_role: Any) -> None:
    make_user("nora", "operator", PASSWORD)
    operator = Page()
    operator.sign_in("nora")
    assert operator.client.get(f"{API}/links").status_code == 200
    assert as_role("operator").call("GET", f"{API}/links").status == 200


@override_settings(HAWSER_SECOND_FACTOR_ROLES=["approver"])
@pytest.mark.parametrize(("addresses", "status"), [(None, 401), (["127.0.0.0/8"], 200), (["10.0.0.0/8"], 401)])
def test_required_factor__token_of_that_role__needs_ranges_of_addresses(
    as_role: Any, addresses: list[str] | None, status: int
) -> None:
    caller = as_role("admin")
    ApiToken.objects.update(addresses=addresses)
    assert caller.call("GET", f"{API}/links").status == status


@override_settings(HAWSER_SECOND_FACTOR_ROLES=["approver"])
def test_required_factor__token_for_all_addresses__refused(as_role: Any) -> None:
    caller = as_role("admin")
    ApiToken.objects.update(addresses=["0.0.0.0/0", "::/0"])
    assert caller.call("GET", f"{API}/links").status == 401


def test_factors_removed__by_an_administrator__held_back_told_and_access_ends(anna_page: Page) -> None:
    make_user("dora", "approver", PASSWORD)
    devices = Page()
    devices.sign_in("dora")
    add_app(devices)
    assert anna_page.client.get(f"{API}/users/dora/second-factors").json()["app"] is not None
    assert anna_page.send("DELETE", f"{API}/users/dora/second-factors").status_code == 204
    held = ProtectedChange.objects.filter(kind="approver_factors_removed", target="dora", state="waiting")
    assert [change.requested_by for change in held] == ["anna"]
    assert User.objects.get(username="dora").second_person_from > timezone.now()
    assert devices.client.get(SESSION).status_code == 401
    assert Page().sign_in("dora").status_code == 200
    assert Event.objects.filter(data__kind="second_factor.removed").count() == 1
    assert AuditRecord.objects.get(action="api:user:remove_factors").target == "dora"


@pytest.mark.parametrize("ends", [True, False])
def test_password__set_by_an_administrator__says_which_factors_stay_or_ends_them(
    anna_page: Page, *, ends: bool
) -> None:
    make_user("dora", "viewer", PASSWORD)
    devices = Page()
    devices.sign_in("dora")
    add_app(devices)
    given = {"password": "marigold kestrel 4711"} | ({"ends_factors": True} if ends else {})
    answer = anna_page.send("PATCH", f"{API}/users/dora", given)
    kept = {"apps": 0 if ends else 1, "passkeys": 0, "recovery_codes": 0 if ends else 10}
    assert (answer.status_code, answer.json()["second_factors"]) == (200, kept)
    assert devices.client.get(SESSION).status_code == 401
    assert Page().sign_in("dora", given["password"]).status_code == (200 if ends else 401)
    assert Event.objects.filter(data__kind="second_factor.removed").exists() is ends
    (told,) = Event.objects.filter(data__kind="account.password_changed")
    assert ("Second factors that stay" in told.data["message"]) is not ends
    assert AuditRecord.objects.get(action="api:user:update").facts.get("apps_removed") == (1 if ends else None)


def test_password__set_at_the_shell__says_which_factors_stay(anna_page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    add_app(anna_page)
    output = StringIO()
    for given in ("", "marigold kestrel 4711"):
        monkeypatch.setattr("sys.stdin", StringIO(given))
        call_command("hawser_user", "anna", "--role", "admin", "--password-stdin", stdout=output)
    without, with_password = output.getvalue().splitlines()
    assert "second factors" not in without
    assert with_password.endswith("second factors that stay: totp, recovery_code. Remove them if others may have them.")


def test_factors__ended_without_a_password__refused_by_name(anna_page: Page) -> None:
    make_user("dora", "viewer", PASSWORD)
    answer = anna_page.send("PATCH", f"{API}/users/dora", {"ends_factors": True})
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (400, "ends_factors")


def test_factors_removed__at_the_shell__sign_in_needs_the_password_only(anna_page: Page) -> None:
    add_app(anna_page)
    output = StringIO()
    call_command("hawser_user", "anna", "--remove-second-factors", stdout=output)
    assert "second factors" in output.getvalue()
    assert Page().sign_in("anna").status_code == 200
    assert not are_one_person("anna", AuditRecord.objects.get(action="cli:user:remove_factors").actor)


def test_second_factor__given_at_sign_in__counts_as_the_proof(anna_page: Page) -> None:
    secret, _ = add_app(anna_page)
    other = Page()
    other.sign_in("anna")
    other.send("POST", SECOND, {"code": code_of(secret)})
    with override_settings(HAWSER_STEP_UP_S=900, HAWSER_SECOND_FACTOR_ROLES=["admin"]):
        assert other.send("POST", f"{API}/users", CREATED).status_code == 201
