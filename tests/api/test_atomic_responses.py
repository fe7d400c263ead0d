"""Calls whose response is stored in the transaction of their effect: a killed web process leaves both, or neither."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import OperationalError

from backend.api.views import registrations
from backend.common.models import IdempotencyRecord
from backend.common.rest import idempotency
from backend.common.rest.unstored_responses import Ending
from backend.identity.access.models import Team
from backend.registration.models import RegistrationDraft
from tests.support.console import Answer, Caller

OTHER = "other:1:abcdef01:0123456789ab:5"


class KilledError(BaseException):
    """Ends a call where its process would be killed."""


def _free_the_key() -> None:
    """As after two minutes, or at once where the process is seen to have ended."""
    IdempotencyRecord.objects.filter(status=None).update(created_at="2020-01-01T00:00:00Z")


def _start(admin: Caller) -> Answer:
    return admin.post("/registrations", {}, Idempotency_Key="k")


@pytest.mark.parametrize(("path", "body"), [("/registrations", {}), ("/teams", {"name": "dba"})])
def test_create__killed_after_its_effect__the_repeated_call_gets_its_response(
    admin: Caller, monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, Any]
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "finish", lambda *_: None)
        first = admin.post(path, body, Idempotency_Key="k")
    _free_the_key()
    repeated = admin.post(path, body, Idempotency_Key="k")
    assert (repeated.status, repeated.body, repeated.headers.get("Idempotency-Replayed")) == (201, first.body, "true")
    assert RegistrationDraft.objects.count() + Team.objects.count() == 1


def test_delete__killed_after_its_effect__the_repeated_call_is_not_told_404(
    admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/registrations/{_start(admin).body['id']}"
    with monkeypatch.context() as patch:
        patch.setattr(idempotency, "finish", lambda *_: None)
        admin.call("DELETE", path, Idempotency_Key="d")
    _free_the_key()
    assert admin.call("DELETE", path, Idempotency_Key="d").status == 204


def test_create__killed_before_its_transaction_ends__nothing_was_done_and_the_key_is_still_claimed(
    admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(_: Ending) -> bool:
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(Ending, "store", killed)
        with pytest.raises(KilledError):
            _start(admin)
    assert not RegistrationDraft.objects.exists()
    assert _start(admin).body["code"] == "idempotency_in_progress"
    _free_the_key()
    assert _start(admin).status == 201
    assert RegistrationDraft.objects.count() == 1


def test_create__its_key_was_taken_over_meanwhile__leaves_the_work_to_the_other_call(
    admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = registrations.draft_create

    def slow(**given: Any) -> RegistrationDraft:
        IdempotencyRecord.objects.update(owner=OTHER)
        return real(**given)

    monkeypatch.setattr(registrations, "draft_create", slow)
    assert _start(admin).body.get("code") == "idempotency_in_progress"
    assert not RegistrationDraft.objects.exists()


def test_create__its_transaction_is_rolled_back_once__is_done_by_the_second_attempt(
    emptied: None, admin: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, lost = Ending.store, [OperationalError(1213, "Deadlock found when trying to get lock")]

    def store(ending: Ending) -> bool:
        if lost:
            raise lost.pop()
        return real(ending)

    monkeypatch.setattr(Ending, "store", store)
    assert _start(admin).status == 201
    assert RegistrationDraft.objects.count() == 1


def test_create__refused__its_refusal_is_stored_as_of_any_call(admin: Caller) -> None:
    admin.post("/teams", {"name": "dba"})
    first = admin.post("/teams", {"name": "dba"}, Idempotency_Key="k")
    second = admin.post("/teams", {"name": "dba"}, Idempotency_Key="k")
    assert first.body["code"] == "team_exists"
    assert (second.body, second.headers["Idempotency-Replayed"]) == (first.body, "true")
