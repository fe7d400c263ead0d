"""Four eyes stay four: users of a provider, their other accounts, and roles that a group gave."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from backend.identity.accounts import protected_changes
from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.persons import are_one_person
from backend.identity.accounts.second_person import why_not_second_person
from tests.backend.single_sign_on.signing_in import sign_in
from tests.support.console import API, PASSWORD, make_user
from tests.support.page import Page
from tests.support.providers.oidc import Provider

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(db: None) -> Page:
    """An administrator who has used the console, so that it is no longer being installed."""
    make_user("root", "admin", PASSWORD)
    page = Page()
    page.sign_in("root")
    return page


def why_not(username: str) -> str:
    problem = why_not_second_person(User.objects.get(username=username), since=timezone.now())
    return problem.code if problem else ""


def test_new_approver_by_group__second_person_after_the_waiting_time_only(oidc: Provider, root: Page) -> None:
    sign_in(oidc, "s-lead")
    assert why_not("lead") == "not_yet_second_person"
    change = ProtectedChange.objects.get()
    assert (change.kind, change.requested_by, change.state) == ("approver_added", "identity-provider", "waiting")
    ProtectedChange.objects.update(effective_at=timezone.now())
    User.objects.update(second_person_from=timezone.now() - timedelta(hours=1))
    protected_changes.apply_due()
    assert why_not("lead") == ""


def test_promoted_by_group__waits_again(oidc: Provider, root: Page) -> None:
    sign_in(oidc, "s-anna")
    User.objects.update(second_person_from=timezone.now() - timedelta(days=9))
    oidc.control("set", sub="s-anna", claims={"groups": ["dba-leads"]})
    sign_in(oidc, "s-anna")
    assert why_not("anna") == "not_yet_second_person"
    assert ProtectedChange.objects.filter(kind="approver_promoted", target="anna").exists()


def test_roles_of_the_provider_trusted__counts_at_once(oidc: Provider, root: Page, settings: Any) -> None:
    settings.HAWSER_PROVIDER_ROLES_TRUSTED = True
    sign_in(oidc, "s-lead")
    assert why_not("lead") == ""
    assert not ProtectedChange.objects.exists()


@pytest.mark.parametrize(
    ("claims", "local"),
    [
        ({"email": "carl@example.net"}, "carl"),
        ({"email": "Carl@example.net"}, "carl@example.net"),
        ({"preferred_username": "carl@corp"}, "carl"),
    ],
)
def test_local_user_known_to_the_provider_by_that_name__one_person(
    oidc: Provider, claims: dict[str, str], local: str
) -> None:
    make_user(local, "approver", PASSWORD)
    oidc.control("set", sub="s-anna", claims=claims)
    name = sign_in(oidc, "s-anna")[1].json()["username"]
    assert are_one_person(name, local)
    assert are_one_person(local, name)
    make_user("dora", "approver", PASSWORD)
    assert not are_one_person(name, "dora")


def test_name_at_the_provider_changed__still_one_person(oidc: Provider) -> None:
    make_user("carl", "approver", PASSWORD)
    oidc.control("set", sub="s-anna", claims={"email": "carl@example.net"})
    sign_in(oidc, "s-anna")
    oidc.control("set", sub="s-anna", claims={"email": "other@example.net"})
    sign_in(oidc, "s-anna")
    assert are_one_person("anna", "carl")


def test_declared_one_person__at_once_and_parted_only_after_a_wait(oidc: Provider, root: Page) -> None:
    make_user("carl", "approver", PASSWORD)
    make_user("dora", "approver", PASSWORD)
    sign_in(oidc, "s-anna")
    assert (
        root.send("PATCH", f"{API}/users/anna", {"same_person_as": "carl"}).json()["provider"]["same_person_as"]
        == "carl"
    )
    assert are_one_person("anna", "carl")
    assert root.send("PATCH", f"{API}/users/anna", {"same_person_as": "dora"}).status_code == 400
    assert root.send("PATCH", f"{API}/users/anna", {"same_person_as": None}).status_code == 200
    assert are_one_person("anna", "carl")
    ProtectedChange.objects.filter(kind="persons_parted").update(effective_at=timezone.now())
    protected_changes.apply_due()
    assert not are_one_person("anna", "carl")


def test_declared__by_two_identities_of_one_user__one_person(oidc: Provider, root: Page) -> None:
    make_user("carl", "approver", PASSWORD)
    sign_in(oidc, "s-anna")
    sign_in(oidc, "s-lead")
    Identity.objects.update(person=User.objects.get(username="carl"))
    assert are_one_person("anna", "lead")


def test_same_person__of_a_local_user_or_unknown__refused(oidc: Provider, root: Page) -> None:
    sign_in(oidc, "s-anna")
    answer = root.send("PATCH", f"{API}/users/root", {"same_person_as": "anna"})
    assert (answer.status_code, answer.json().get("code")) == (409, "not_of_provider")
    for name in ("unknown", "anna"):
        assert root.send("PATCH", f"{API}/users/anna", {"same_person_as": name}).status_code == 400
