"""Idempotency-Key on any unsafe call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from backend.api.views import links
from backend.clusters.models import Link
from backend.common.models import IdempotencyRecord
from backend.common.rest import idempotency, unstored_responses
from backend.common.rest.unstored_responses import Ending, UnstoredResponses
from backend.operations.runs.models import Plan, Run
from tests.support.clock import skewed
from tests.support.concurrently import concurrently
from tests.support.console import Caller, SignedIn, confirmation, make_link, set_approval_rule, store_plan


def _patch(caller: Caller, link: Link, value: bool, key: str) -> tuple[int, str | None]:
    answer = set_approval_rule(caller, link.id, is_on=value, Idempotency_Key=key)
    return answer.status, answer.body.get("code")


def test_key__other_body_or_address__422(admin: Caller, link: Link) -> None:
    assert _patch(admin, link, True, "k") == (200, None)
    assert _patch(admin, link, False, "k") == (422, "idempotency_key_reused")
    other = admin.post("/links", {}, Idempotency_Key="k")
    assert (other.status, other.body["code"]) == (422, "idempotency_key_reused")
    assert Link.objects.get().requires_approval is True


def test_key__first_call_in_progress__409(admin: Caller, link: Link) -> None:
    _patch(admin, link, True, "k")
    IdempotencyRecord.objects.update(status=None)
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")


def test_key__first_call_died_long_ago__is_taken_over(admin: Caller, link: Link) -> None:
    _patch(admin, link, True, "k")
    IdempotencyRecord.objects.update(status=None, created_at=timezone.now() - timedelta(minutes=3))
    assert _patch(admin, link, False, "k") == (200, None)


def test_key__its_process_has_ended_on_this_machine__is_taken_over_at_once(admin: Caller, link: Link) -> None:
    _patch(admin, link, True, "k")
    held = IdempotencyRecord.objects.get().owner
    host, pid, claim, namespace, started = held.rsplit(":", 4)
    ended = ":".join((host, pid, claim, namespace, str(int(started) - 1)))
    IdempotencyRecord.objects.update(status=None)
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")
    IdempotencyRecord.objects.update(status=None, owner=ended)
    assert _patch(admin, link, True, "k") == (200, None)
    assert IdempotencyRecord.objects.get().owner not in (held, ended)


def test_key__its_process_is_on_another_machine__in_progress_for_two_minutes(admin: Caller, link: Link) -> None:
    _patch(admin, link, True, "k")
    IdempotencyRecord.objects.update(status=None, owner="other:1:abcdef01:0123456789ab:5")
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(hours=-1)])
def test_key__this_web_process_has_another_time__its_first_call_is_still_in_progress(
    admin: Caller, link: Link, monkeypatch: pytest.MonkeyPatch, ahead: timedelta
) -> None:
    _patch(admin, link, True, "k")
    IdempotencyRecord.objects.update(status=None, owner="other:1:abcdef01:0123456789ab:5")
    skewed(monkeypatch, ahead)
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")


def test_key__refusal__is_kept_like_any_answer(admin: Caller, link: Link) -> None:
    first = admin.post("/links", {"name": "x"}, Idempotency_Key="k")
    second = admin.post("/links", {"name": "x"}, Idempotency_Key="k")
    assert (first.status, second.status) == (400, 400)
    assert second.headers["Idempotency-Replayed"] == "true"
    assert second.headers["Content-Type"] == "application/problem+json"


def test_key__two_callers__do_not_share_keys(admin: Caller, operator: Caller, link: Link) -> None:
    assert _patch(admin, link, True, "k") == (200, None)
    answer = operator.post(f"/clusters/{link.active_cluster_id}/check", {}, Idempotency_Key="k")
    assert answer.status == 200


def test_key__refused_right__leaves_no_trace(viewer: Caller, link: Link) -> None:
    assert _patch(viewer, link, True, "k")[0] == 403
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize("key", ["", "a b", "x" * 129])
def test_key__malformed__400(admin: Caller, link: Link, key: str) -> None:
    assert _patch(admin, link, True, key) == (400, "validation_failed")


def test_key__answer_with_a_secret__is_never_kept(signed_in: Callable[[str], SignedIn]) -> None:
    made = signed_in("admin").post("/tokens", {"label": "x"}, Idempotency_Key="k")
    assert made.status == 201
    assert not IdempotencyRecord.objects.exists()


def test_key__fifty_parallel_posts__one_run(emptied: None, as_role: Callable[[str], Caller]) -> None:
    plan: Plan = store_plan(make_link())
    token = as_role("operator").token
    seen: list[tuple[int, str]] = []

    def post() -> None:
        answer = Caller(token).post(f"/plans/{plan.id}/runs", confirmation(plan), Idempotency_Key="same")
        seen.append((answer.status, answer.body.get("id") or answer.body["code"]))

    concurrently(*[post] * 50)
    run = Run.objects.get()
    assert len(seen) == 50
    assert set(seen) <= {(202, run.id), (409, "idempotency_in_progress")}
    assert (202, run.id) in seen


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[UnstoredResponses]:
    """What could not be stored; the test tries again itself."""
    monkeypatch.setattr(unstored_responses, "TRY_EVERY_S", 3600.0)
    made = UnstoredResponses()
    monkeypatch.setattr(idempotency, "unstored", made)
    yield made
    if made._timer is not None:
        made._timer.cancel()


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, waiting: UnstoredResponses) -> list[str]:
    """The database is lost for whatever is stored under a key, as long as the list holds something."""
    causes = ["lost"]
    real = Ending.store

    def store(self: Ending) -> None:
        if causes:
            raise OperationalError(2006, "Server has gone away")
        real(self)

    monkeypatch.setattr(Ending, "store", store)
    return causes


def test_key__database_lost_before_the_response_was_stored__response_sent_and_stored_later(
    admin: Caller, link: Link, away: list[str], waiting: UnstoredResponses
) -> None:
    first = set_approval_rule(admin, link.id, is_on=True, Idempotency_Key="k")
    assert first.status == 200
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")
    waiting.flush()
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")
    away.clear()
    waiting.flush()
    repeated = set_approval_rule(admin, link.id, is_on=True, Idempotency_Key="k")
    assert (repeated.status, repeated.body, repeated.headers["Idempotency-Replayed"]) == (200, first.body, "true")


def test_key__database_lost_by_the_call_itself__503_and_the_key_is_free_later(
    admin: Caller, link: Link, away: list[str], waiting: UnstoredResponses, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(links, "link_update", _lost)
        assert _patch(admin, link, True, "k") == (503, "console_database_unavailable")
    away.clear()
    waiting.flush()
    assert _patch(admin, link, True, "k") == (200, None)


def _lost(**_: object) -> None:
    raise OperationalError(2013, "Lost connection to server during query")


def test_key__taken_over_before_the_first_response_was_stored__keeps_the_second(
    admin: Caller, link: Link, away: list[str], waiting: UnstoredResponses
) -> None:
    _patch(admin, link, True, "k")
    away.clear()
    IdempotencyRecord.objects.update(created_at=timezone.now() - timedelta(minutes=3))
    assert _patch(admin, link, False, "k") == (200, None)
    waiting.flush()
    assert _patch(admin, link, False, "k") == (200, None)
    assert _patch(admin, link, True, "k") == (422, "idempotency_key_reused")


def test_key__released_before_its_record_was_read__is_claimed_again(
    admin: Caller, link: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    _patch(admin, link, True, "k")
    IdempotencyRecord.objects.update(status=None)
    real, tries = idempotency._claim, iter([None])

    def claim(*call: str) -> IdempotencyRecord | None:
        claimed = next(tries, real(*call))
        IdempotencyRecord.objects.filter(status=None).delete() if claimed is None else None
        return claimed

    monkeypatch.setattr(idempotency, "_claim", claim)
    assert _patch(admin, link, True, "k") == (200, None)


def test_key__database_lost_while_it_was_claimed__is_free_later(
    admin: Caller, link: Link, waiting: UnstoredResponses, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the record was stored is unknown to the caller; here it was."""
    real = IdempotencyRecord.objects.create

    def create(**values: object) -> None:
        real(**values)
        raise OperationalError(2013, "Lost connection to server during query")

    with monkeypatch.context() as patch:
        patch.setattr(IdempotencyRecord.objects, "create", create)
        patch.setattr("backend.common.rest.idempotency.transaction.atomic", lambda **_: nullcontext())
        assert _patch(admin, link, True, "k") == (503, "console_database_unavailable")
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")
    waiting.flush()
    assert _patch(admin, link, True, "k") == (200, None)


def test_key__taken_over_by_a_call_that_still_works__is_not_released_by_the_first(
    admin: Caller, link: Link, away: list[str], waiting: UnstoredResponses
) -> None:
    _patch(admin, link, True, "k")
    away.clear()
    IdempotencyRecord.objects.update(owner="other:1:abcdef01:0123456789ab:5")
    waiting.flush()
    assert _patch(admin, link, True, "k") == (409, "idempotency_in_progress")
