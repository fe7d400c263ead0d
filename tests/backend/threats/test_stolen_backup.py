"""A copy of the console's database in strange hands, and one that was put back."""

from __future__ import annotations

import io
from datetime import timedelta

from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from backend.audit.models import AuditRecord
from backend.identity.accounts import token_services
from backend.identity.accounts.models import ApiToken, SignIn, User
from tests.support.console import Caller, SignedIn, make_caller, make_user


def _end_everything() -> None:
    call_command("hawser_access", "end-everything", "--reason", "a backup was lost", stdout=io.StringIO())


def test_token__what_is_stored_of_it__opens_nothing(db: None) -> None:
    caller = make_caller("nora", "admin")
    assert caller.get("/links").status == 200
    assert Caller(ApiToken.objects.get().digest).get("/links").status == 401


def test_session__what_is_stored_of_it__opens_nothing(db: None) -> None:
    page, thief = SignedIn(make_user("nora", "operator")), Caller()
    value = page.client.cookies["hawser_session"].value
    stored = [*Session.objects.values_list("session_key", "session_data"), *SignIn.objects.values_list("session_key")]
    assert value not in str(stored)
    for row in stored:
        thief.client.cookies["hawser_session"] = row[0]
        assert thief.get("/links").status == 401
    assert page.get("/links").status == 200


def test_restored__tokens_and_sessions_that_were_ended_since__end_again_and_it_is_recorded(db: None) -> None:
    caller, page = make_caller("nora", "operator"), SignedIn(User.objects.get(username="nora"))
    token_services.token_revoke(actor="test", token=ApiToken.objects.get())
    SignIn.objects.update(ended_at=timezone.now() - timedelta(hours=1))
    ApiToken.objects.update(revoked_at=None)  # as the backup has them
    SignIn.objects.update(ended_at=None)
    assert [one.get("/links").status for one in (caller, page)] == [200, 200]
    _end_everything()
    assert [one.get("/links").status for one in (caller, page)] == [401, 401]
    facts = AuditRecord.objects.get(action="cli:console:end_all_access").facts
    assert (facts["tokens_revoked"], facts["sessions_ended"]) == (1, 1)
