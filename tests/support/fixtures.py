"""Fixtures shared by the console's suites."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection, connections

from backend.api.response_cache import CACHE
from backend.audit import triggers
from backend.audit.aggregation import refusals
from backend.audit.chain import GENESIS
from backend.audit.models import AuditHead
from backend.clusters.models import Link
from backend.common.rest import call_rate
from backend.common.rest.call_rate import CallRate
from backend.identity.accounts.models import User
from backend.identity.accounts.password_hashing import BoundedArgon2Hasher
from backend.identity.second_factors import totp
from backend.operations.runs import services
from backend.operations.runs.models import Plan, Run
from tests.support.clock import stop_clock
from tests.support.console import Caller, SignedIn, confirmation, make_caller, make_link, make_user, store_plan
from tests.support.webhook_receiver import receiver

__all__ = [
    "admin",
    "approver",
    "as_role",
    "django_db_modify_db_settings",
    "emptied",
    "link",
    "nothing_kept",
    "one_time_step",
    "operator",
    "plan",
    "receiver",
    "run",
    "signed_in",
    "viewer",
    "weak_hashes",
]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """A test's transaction is as long as the test, on a machine that may stand still for longer than a console's."""
    options = connections.settings["default"]["OPTIONS"]
    options["init_command"] = options["init_command"].replace(
        "idle_transaction_timeout=5", "idle_transaction_timeout=300"
    )


@pytest.fixture
def emptied(transactional_db: None) -> Iterator[None]:
    """A database whose commits are real. The audit record refuses to be emptied, so its guard steps aside."""
    AuditHead.objects.get_or_create(pk=1, defaults={"hash": GENESIS})
    yield
    triggers.remove(connection)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_auditrecord")
    triggers.install(connection)


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A rolled-back database has the marks of the one before it; no call of one test counts in the next.

    A test may send any number of calls, and no thread writes what was refused, unless it says otherwise: the one that
    does so after a minute would find a slow test's transaction, or the database closed between two tests.
    """
    caches[CACHE].clear()
    monkeypatch.setattr(call_rate, "rate", CallRate())
    for name in ("HAWSER_CALLS_PER_MINUTE", "HAWSER_ANONYMOUS_CALLS_PER_MINUTE"):
        monkeypatch.setattr(settings, name, 1_000_000)
    monkeypatch.setattr(settings, "HAWSER_AUDIT_FOLD_S", 86_400.0)
    yield
    refusals.discard()


@pytest.fixture
def as_role(db: None) -> Callable[[str], Caller]:
    """Callers by role, made once each."""
    made: dict[str, Caller] = {}

    def get(role: str) -> Caller:
        if role not in made:
            made[role] = make_caller(f"{role}-1", role)
        return made[role]

    return get


def _caller(role: str) -> Any:
    @pytest.fixture(name=role)
    def caller(as_role: Callable[[str], Caller]) -> Caller:
        return as_role(role)

    return caller


viewer, operator, approver, admin = (_caller(role) for role in ("viewer", "operator", "approver", "admin"))


@pytest.fixture
def signed_in(as_role: Any) -> Callable[[str], SignedIn]:
    """The same users in a browser's session."""

    def get(role: str) -> SignedIn:
        as_role(role)
        return SignedIn(User.objects.get(username=f"{role}-1"))

    return get


@pytest.fixture
def link(db: None) -> Link:
    """A link whose nodes are all down."""
    return make_link()


@pytest.fixture
def plan(link: Link) -> Plan:
    """A ready plan of that link."""
    return store_plan(link)


@pytest.fixture
def run(plan: Plan) -> Run:
    """A run of that plan, queued."""
    make_user("nora", "operator")
    return services.run_start(actor="nora", plan=plan, **confirmation(plan))


@pytest.fixture(autouse=True)
def one_time_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """The codes of authenticator apps are those of one time step during a test."""
    stop_clock(monkeypatch, totp)


@pytest.fixture(autouse=True)
def weak_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Argon2's smallest parameters: a password is hashed as usual, in a thousandth of the time."""
    monkeypatch.setattr(BoundedArgon2Hasher, "time_cost", 1)
    monkeypatch.setattr(BoundedArgon2Hasher, "memory_cost", 8)
