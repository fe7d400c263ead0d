"""Local users beside a provider."""

from __future__ import annotations

from typing import Any

import pytest

from backend.audit.models import AuditRecord
from backend.common.events.models import Event
from tests.support.console import PASSWORD, make_user
from tests.support.page import SESSION, Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def break_glass(settings: Any) -> None:
    settings.HAWSER_LOCAL_SIGN_IN, settings.HAWSER_BREAK_GLASS_USERS = "break_glass", ["Nora"]
    make_user("nora", "admin", PASSWORD)
    make_user("carl", "admin", PASSWORD)


def warnings() -> list[str]:
    return [e.data["message"] for e in Event.objects.all() if e.data.get("kind") == "sign_in.break_glass"]


def test_break_glass__named_user__signed_in_with_warning_and_record(break_glass: None) -> None:
    assert Page().sign_in("nora").status_code == 200
    assert warnings() == ["nora signed in with a local password, which is for emergencies only."]
    assert Event.objects.latest("id").data["severity"] == "warning"
    assert AuditRecord.objects.filter(action="session:user:break_glass", target="nora").exists()


def test_break_glass__other_local_user__refused_after_the_password_only(break_glass: None) -> None:
    assert Page().sign_in("carl", "wrong").json().get("code") == "wrong_credentials"
    page = Page()
    answer = page.sign_in("carl")
    assert (answer.status_code, answer.json().get("code")) == (403, "local_sign_in_closed")
    assert page.client.get(SESSION).status_code == 401
    assert AuditRecord.objects.filter(action="session:user:local_refused", target="carl").exists()


def test_always__no_warning(db: None) -> None:
    make_user("nora", "admin", PASSWORD)
    assert Page().sign_in("nora").status_code == 200
    assert warnings() == []
