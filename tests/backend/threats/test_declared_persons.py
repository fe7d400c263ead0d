"""Users of a provider who were declared to be other users, one by way of the other, are one person."""

from __future__ import annotations

import pytest
from django.utils import timezone

from backend.clusters.models import Link
from backend.identity.accounts.identities.models import Identity
from backend.identity.accounts.models import ProtectedChange, User
from backend.identity.accounts.persons import are_one_person
from tests.backend.two_persons.waiting import waiting_run
from tests.support.console import Caller, approval, make_caller, make_user


@pytest.fixture
def second(admin: Caller) -> Caller:
    """Another administrator than `admin-1`, of a console in use."""
    admin.get("/links")
    return make_caller("second", "admin")


def _of_provider(name: str, *aliases: str, person: str | None = None) -> None:
    user = User.objects.get(username=name)
    Identity.objects.create(
        user=user,
        kind="oidc",
        key=f"key {user.pk}",
        issuer="https://sso.example.net",
        subject=f"s-{name}",
        aliases=[user.name_skeleton, *aliases],
        person=User.objects.get(username=person) if person else None,
    )


def test_approve__declared_to_be_one_who_is_declared_to_be_the_requester__refused(second: Caller, link: Link) -> None:
    make_user("middle", "viewer")
    last = make_caller("last", "approver")
    ProtectedChange.objects.all().delete()
    User.objects.update(second_person_from=timezone.now())
    for name in ("middle", "last"):
        _of_provider(name)
    assert second.call("PATCH", "/users/middle", {"same_person_as": "admin-1"}).status == 200
    assert second.call("PATCH", "/users/last", {"same_person_as": "middle"}).status == 200
    run = waiting_run(link, actor="admin-1")
    answer = last.post(f"/runs/{run.id}/approve", approval(run.plan))
    assert (answer.status, answer.body.get("code")) == (403, "own_run")


def test_person__by_a_declaration_and_a_name_at_the_provider_in_turn__one(second: Caller) -> None:
    for name in ("anna", "ben", "carl", "dora"):
        make_user(name, "approver")
    _of_provider("anna", person="ben")
    _of_provider("carl", "ben")
    assert are_one_person("anna", "carl")
    assert are_one_person("carl", "anna")
    assert not are_one_person("anna", "dora")
    assert not are_one_person("dora", "second")
