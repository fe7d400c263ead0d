"""Installation ends when the first administrator uses the console, and never begins again."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from backend.config.backup.afterwards import stop_everything
from backend.identity.accounts.installation import is_installation
from backend.identity.accounts.models import Installation, ProtectedChange, User
from backend.identity.accounts.restores import RestoreWatch
from tests.backend.backup.manifests import MANIFEST
from tests.support.console import PASSWORD, Caller, SignedIn, make_caller, make_user

EMPTY = "backend.identity.accounts.migrations.0002_installation"


def _use(admin: Caller) -> None:
    """The console is in use by this administrator; another one has never been there."""
    admin.get("/links")
    admin.post("/users", {"username": "never-there", "role": "admin"})
    ProtectedChange.objects.all().delete()


def _demote_at_the_shell(_admin: Caller) -> None:
    for user in User.objects.filter(role="admin"):
        call_command("hawser_user", user.username, "--role", "viewer", stdout=io.StringIO())


def _demote_by_the_api(admin: Caller) -> None:
    assert admin.call("PATCH", "/users/admin-1", {"role": "viewer"}).status == 200


@pytest.mark.parametrize("demote", [_demote_at_the_shell, _demote_by_the_api])
def test_installation__no_administrator_left_who_was_there__a_new_approver_waits(
    admin: Caller, demote: Callable[[Caller], None]
) -> None:
    _use(admin)
    demote(admin)
    call_command("hawser_user", "anna", "--role", "approver", stdout=io.StringIO())
    assert User.objects.get(username="anna").second_person_from > timezone.now()
    assert ProtectedChange.objects.filter(target="anna", state="waiting").exists()


def test_installation__an_administrator_signs_in__over(db: None) -> None:
    make_user("first", "admin", PASSWORD)
    assert is_installation()
    call = {"username": "first", "password": PASSWORD}
    assert Client().post("/api/v1/session", call, content_type="application/json").status_code == 200
    assert not is_installation()


def test_installation__users_of_lesser_roles_are_there__goes_on(db: None) -> None:
    make_caller("nora", "approver").get("/links")
    SignedIn(make_user("olga", "operator")).get("/links")
    assert is_installation()


def test_installation__restored_from_a_backup_of_it__over_all_the_same(db: None) -> None:
    stop_everything(MANIFEST, actor="command line", reason="disk lost", damage="")
    assert not is_installation()


def test_installation__database_put_back_under_the_console__over_all_the_same(db: None) -> None:
    watch = RestoreWatch()
    watch.check()
    watch._seq += 100  # what it had seen before the backup was put back
    assert watch.check()
    assert not is_installation()


@pytest.mark.parametrize("is_used", [False, True])
def test_migration__of_a_console_of_before__over_where_anybody_had_been_there(db: None, is_used: bool) -> None:
    make_user("nora", "viewer")
    User.objects.filter(username="nora").update(last_login=timezone.now() if is_used else None)
    import_module(EMPTY).end_where_used(apps, None)
    assert Installation.objects.exists() is is_used
