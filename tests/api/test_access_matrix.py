"""Caller x call x object, against one declared table: no caller does or sees more than it says, whatever the verb.

Callers who are let in send a body that no call takes, or an id of nothing, and so do nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.access_page import PAGE, written
from tests.support.access import CHANGING, PERSONS, VERBS, Known, Permissions, Person, known_link
from tests.support.access_table import UNKNOWN, Row, rows
from tests.support.routes import tabled_routes

FROM_A_SESSION = {
    *(("POST", path) for path in ("tokens", "session/password", "session/proof", "session/proof/options")),
    *(("POST", path) for path in ("push/subscriptions", "account/second-factors/app/secret")),
    *((method, "account/second-factors/app") for method in ("POST", "DELETE")),
    *(("POST", f"account/second-factors/{path}") for path in ("passkeys", "passkeys/options", "recovery-codes")),
    ("DELETE", "account/second-factors/passkeys/<passkey_id>"),
}
"""What a token may not, whatever it may else."""
AFTER_A_PASSWORD = {"session/second-factor", "session/second-factor/options"}
"""A sign-in ends there; without one that waits no caller is let in."""
SIGN_INS = AFTER_A_PASSWORD | {
    *("session", "session/passkey", "session/passkey/options", "sign-in/oidc", "sign-in/oidc/callback")
}
"""Where a browser signs in: a change needs the CSRF token before anything else is looked at."""
NOBODY_IS_ASKED = {
    *("healthz", "/healthz", "readyz", "/readyz", "network-probe", "network-results"),
    "sign-in/oidc/back-channel-logout",
}
"""Where a caller's token or session is not looked at."""
SHOWN_TO_STRANGERS = {"sign-in/methods"}
"""What the page of the sign-in reads."""
SELDOM_CALLED = SIGN_INS | {
    *("sign-in/oidc/back-channel-logout", "audit/verify", "audit/verify-all", "readyz", "/readyz", "network-results")
}
"""Calls that count attempts, walk the whole record, or ask what does not run inside: for who tries every verb."""
LET_IN = 200
"""Stands for every answer but 401, 403, 405 and an error of the server."""
ALWAYS = {"admin everywhere", "operator on one link", "token of an administrator for one link", "anonymous"}
"""Between them they are let in, refused, and let in for one link alone; the answers that they read are searched."""
Methods = dict[str, Row]


def _table() -> dict[str, Methods]:
    found: dict[str, Methods] = {}
    for row in rows():
        found.setdefault(row.path, {})[row.method] = row
    return found


def test_table__every_route_and_method__has_a_row_with_its_permission() -> None:
    stated = {
        (method, route.address_in_table): needed
        for route in tabled_routes()
        for method, needed in route.view.permissions.items()
    }
    assert stated == {(row.method, row.path): row.needed for row in rows()}


def test_page__is_current() -> None:
    assert PAGE.read_text() == written(), "run `python -m tests.api.access_page`"


@pytest.mark.django_db
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in ALWAYS else pytest.mark.slow) for name in PERSONS]
)
def test_matrix__every_caller_call_and_object__as_declared(settings: Any, name: str) -> None:
    settings.HAWSER_METRICS_PUBLIC = False
    settings.HAWSER_CALLS_PER_MINUTE = settings.HAWSER_ANONYMOUS_CALLS_PER_MINUTE = 10_000
    inside = known_link("here-payments", "127.0.71", "production")
    there = known_link("there-orders", "127.0.72", "staging")
    person = PERSONS[name](inside, there)
    wrong = [fault for path, methods in _table().items() for fault in _faults(person, path, methods, inside, there)]
    assert not wrong, "\n".join(wrong)


def _faults(person: Person, path: str, methods: Methods, inside: Known, there: Known) -> Iterator[str]:
    """What this caller does or sees more, or less, than the table says of the path."""
    for verb, kind, objects, held in _cells(person, path, methods, inside, there):
        expected = _expected(person, verb, path, methods, person.everywhere | held)
        if expected == LET_IN and kind == "unknown" and not person.verbs:
            continue
        address = next(iter(methods.values())).address(objects)
        body = "" if verb not in CHANGING else '{"label": "t"}' if path == "tokens" else '{"never": "taken"}'
        status, text = person.call(verb, address, body)
        if not _is_as(status, expected):
            yield f"{verb} {path} {kind}: {status}, the table says {expected}: {text[:200]}"
        is_blind = kind == "in scope" and not person.there and methods[verb].needed
        if is_blind and any(mark in text for mark in there.markers if mark != UNKNOWN):
            yield f"{verb} {path}: the answer shows the other link"


def _cells(
    person: Person, path: str, methods: Methods, inside: Known, there: Known
) -> Iterator[tuple[str, str, dict[str, str], Permissions]]:
    """Verb, kind of objects, their ids, and what the caller may do with them."""
    for verb in VERBS:
        is_seldom = path in SELDOM_CALLED and person.names_objects and person.verbs != VERBS
        if verb in methods and person.names_objects and not is_seldom:
            yield verb, "in scope", inside.objects, person.inside
            if methods[verb].where == "object":
                yield verb, "out of scope", there.objects, person.there
                yield verb, "unknown", {}, person.everywhere
        elif verb in person.verbs and not (verb in methods and is_seldom):
            yield verb, "unknown", {}, person.everywhere


def _expected(person: Person, verb: str, path: str, methods: Methods, held: Permissions) -> int:
    is_asked, method = path not in NOBODY_IS_ASKED, "GET" if verb == "HEAD" else verb
    if is_asked and verb in CHANGING and not person.csrf and (path in SIGN_INS or person.is_session):
        return 403
    if is_asked and person.has_bad_token:
        return 401
    row = methods.get(method)
    if row is None:
        return 405 if person.is_known or not is_asked else 401
    if path in AFTER_A_PASSWORD:
        return 401
    if row.needed is None:
        is_open = not is_asked or method != "GET" or path in SHOWN_TO_STRANGERS
        return LET_IN if person.is_known or is_open else 401
    if not person.is_known:
        return 401
    if (method, path) in FROM_A_SESSION and not person.is_session:
        return 403
    if row.where != "object":
        at = person.anywhere if row.where in ("readable", "nothing") else person.everywhere
        return LET_IN if row.needed in at else 403
    if "read" in held:
        return LET_IN if row.needed in held else 403
    return 404 if row.needed in person.anywhere else 403


def _is_as(status: int, expected: int) -> bool:
    if expected == LET_IN:
        return status not in (401, 403, 405) and status < 500
    return status == expected
