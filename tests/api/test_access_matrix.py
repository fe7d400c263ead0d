"""Caller x call x object, against one declared table: no caller does or sees more than it says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from django.db import transaction

from tests.api.access_page import PAGE, written
from tests.support.access import Known, Person, known_link, persons
from tests.support.access_table import UNKNOWN, Row, rows
from tests.support.console import Answer
from tests.support.routes import tabled_routes

FROM_A_SESSION = {
    *("tokens", "tokens/<token_id>/rotate", "session/password", "session/proof", "session/proof/options"),
    *("push/subscriptions", "account/second-factors/app", "account/second-factors/app/secret"),
    *("account/second-factors/passkeys", "account/second-factors/passkeys/options"),
    *("account/second-factors/passkeys/<passkey_id>", "account/second-factors/recovery-codes"),
}
"""What a token may not, whatever it may else."""
NOT_CALLED = {
    *(
        "session",
        "session/passkey",
        "session/passkey/options",
        "session/second-factor",
        "session/second-factor/options",
    ),
    *("sign-in/oidc", "sign-in/oidc/callback", "sign-in/oidc/back-channel-logout"),
    *("audit/verify", "audit/verify-all", "readyz", "network-results"),
}
"""Calls that count attempts, walk the whole record, or ask what does not run inside."""


FOUR = {"admin everywhere", "viewer on one link", "operator on one link", "token of an administrator for one link"}
"""Between them they are let in, refused, and let in for one link alone; the answers that they read are searched."""


def _declared() -> dict[tuple[str, str], str]:
    return {(row.method, row.path): f"{row.needed or '-'}" for row in rows()}


def test_table__every_route_and_method__has_a_row_with_its_permission() -> None:
    stated = {
        (method, route.path.removeprefix("api/v1/").replace("str:", "")): f"{needed or '-'}"
        for route in tabled_routes()
        if route.path.startswith("api/v1/")
        for method, needed in route.view.permissions.items()
    }
    assert stated == _declared()


def test_page__is_current() -> None:
    assert PAGE.read_text() == written(), "run `python -m tests.api.access_page`"


@pytest.mark.django_db
@pytest.mark.timeout(600)
def test_matrix__four_callers_each_call_and_object__as_declared() -> None:
    assert not _faults_of_all(FOUR.__contains__)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.timeout(1800)  # some ten thousand calls
def test_matrix__every_caller_call_and_object__as_declared() -> None:
    assert not _faults_of_all(lambda _: True)


def _faults_of_all(is_asked: Callable[[str], bool]) -> str:
    """What each of these callers does or sees more, or less, than the table says; empty without a fault."""
    inside, there = (
        known_link("here-payments", "127.0.71", "production"),
        known_link("there-orders", "127.0.72", "staging"),
    )
    return "\n".join(
        fault
        for person in persons(inside, there)
        if is_asked(person.name)
        for row in rows()
        if row.path not in NOT_CALLED
        for fault in _faults(person, row, inside, there)
    )


def _faults(person: Person, row: Row, inside: Known, there: Known) -> Iterator[str]:
    for name, objects, held in (
        ("in scope", inside.objects, person.inside),
        ("out of scope", there.objects, person.there),
        ("unknown", {}, person.everywhere),
    ):
        if name != "in scope" and row.where != "object":
            return
        expected = _expected(person, row, person.everywhere | held)
        if row.needed is None and person.is_refused:
            continue
        if expected == "answered" and (name == "unknown" or row.path.endswith("events")):
            continue
        answer = _call(person, row, row.address(objects))
        if not _is_as(answer, expected, row):
            yield f"{person.name}: {row.method} {row.path} {name}: {answer.status}, expected {expected}: {answer.body}"
        if row.needed and not person.there and name == "in scope" and _gives_away(answer, there):
            yield f"{person.name}: {row.method} {row.path}: the answer shows the other link"


def _expected(person: Person, row: Row, held: frozenset[str]) -> str:
    if row.needed is None:
        return "answered"
    if person.is_refused:
        return "401"
    if row.where != "object":
        anywhere = row.where in ("readable", "nothing")
        return "answered" if row.needed in (person.anywhere if anywhere else person.everywhere) else "403"
    if "read" in held:
        return "answered" if row.needed in held else "403"
    return "404" if row.needed in person.anywhere else "403"


def _call(person: Person, row: Row, address: str) -> Answer:
    """Within a savepoint that is rolled back: a call that deletes something must not change the next answer."""
    body = None if row.method in ("GET", "DELETE") else {"never": "taken"}
    with transaction.atomic():
        answer = person.caller.call(row.method, address, body)
        transaction.set_rollback(True)
    return answer


def _is_as(answer: Answer, expected: str, row: Row) -> bool:
    if expected == "answered":
        is_refused = answer.status in (401, 403) and row.path not in FROM_A_SESSION
        return not is_refused and answer.status < 500
    return answer.status == int(expected)


def _gives_away(answer: Answer, other: Known) -> bool:
    text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
    return any(mark in text for mark in other.markers if mark != UNKNOWN)
