"""Every rule of the engine's outer half, taken out: the ordinary test that guards it turns red."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from backend.core.topology import NodeRef
from backend.gateway.writer import Writer
from tests.api.guided import servers
from tests.api.test_access import in_use, other
from tests.api.test_approvals import callers
from tests.api.test_declarations import applied
from tests.api.test_first_steps import anna, otto
from tests.api.test_node_maintenance import donor, opened
from tests.api.test_push import page as viewers_page
from tests.api.test_second_factors import nora_page, nora_user
from tests.api.test_secret_key import page_of_old_key, use_keys
from tests.api.test_server_acceptance import observe
from tests.api.test_step_up import anna_page, anna_page_later
from tests.api.test_tokens_users import page as operators_page
from tests.backend.accounts.test_throttle import nora
from tests.backend.backup.test_archive import archive
from tests.backend.backup.test_target import marked
from tests.backend.config.test_own_secrets import vault
from tests.backend.declaration.test_apply_command import apply
from tests.backend.execution.test_open_statements import run as run_of_steps
from tests.backend.execution.test_priority import taker
from tests.backend.execution.test_store import run
from tests.backend.execution.test_superseded import overtaken, successor
from tests.backend.execution.test_worker_shutdown import page
from tests.backend.hooks.test_own_parts import parts
from tests.backend.incidents.test_approvals import links as links_with_approvals
from tests.backend.incidents.test_many_plans import hub
from tests.backend.incidents.test_sequence import links
from tests.backend.secret_stores.conftest import folder
from tests.backend.seeded_bugs.approval_rules import SEVERAL
from tests.backend.seeded_bugs.incident_rules import ON_APPROVALS_OF_ALL
from tests.backend.seeded_bugs.person_rules import ON_APPROVALS, ON_CLAIM, ON_ONE, ON_SHELL, ON_TOKENS
from tests.backend.seeded_bugs.push_rules import ON_MESSAGES, ON_PUSH
from tests.backend.seeded_bugs.removing import taken_out
from tests.backend.seeded_bugs.rule import OuterRule
from tests.backend.seeded_bugs.rules import RULES
from tests.backend.seeded_bugs.run_rules import ON_OPEN
from tests.backend.single_sign_on.conftest import oidc, running_directory, running_provider, slapd
from tests.backend.single_sign_on.test_confirmation import carl, refreshing
from tests.backend.single_sign_on.test_local_sign_in import break_glass
from tests.backend.single_sign_on.test_second_person import root
from tests.backend.single_sign_on.test_tokens import known_keys
from tests.backend.test_audit_heads import rolled_back
from tests.backend.test_audit_tampering import tampered
from tests.backend.test_automatic_start import silent_channel
from tests.backend.test_poll_status_timeout import stuck_session
from tests.backend.test_returned_sides import scene
from tests.backend.test_rotation import cluster
from tests.backend.threats.test_one_administrator import first
from tests.backend.threats.test_one_administrator import second as another_administrator
from tests.backend.two_persons.test_approvals import run as run_that_waits
from tests.backend.two_persons.test_protected_changes import second, used
from tests.backend.two_persons.test_several_approvals import run as run_of_two_approvals
from tests.backend.two_persons.test_shell import run as run_at_shell
from tests.backend.web_push.test_messages import nora as subscribing_nora
from tests.gateway.rogue import rogue
from tests.gateway.test_addresses import named
from tests.gateway.test_handed_over_password import authority
from tests.monitoring.conftest import stored_link
from tests.support.destinations import routed
from tests.support.incidents import workers
from tests.support.mail_server import certified, mail_server
from tests.support.push_service import browser

__all__ = [
    "anna",
    "anna_page",
    "anna_page_later",
    "another_administrator",
    "applied",
    "apply",
    "archive",
    "authority",
    "break_glass",
    "browser",
    "callers",
    "carl",
    "certified",
    "cluster",
    "donor",
    "first",
    "folder",
    "hub",
    "in_use",
    "known_keys",
    "links",
    "links_with_approvals",
    "mail_server",
    "marked",
    "named",
    "nora",
    "nora_page",
    "nora_user",
    "observe",
    "oidc",
    "opened",
    "operators_page",
    "other",
    "otto",
    "overtaken",
    "page",
    "page_of_old_key",
    "parts",
    "refreshing",
    "rolled_back",
    "root",
    "routed",
    "run",
    "run_at_shell",
    "run_of_steps",
    "run_of_two_approvals",
    "run_that_waits",
    "running_directory",
    "running_provider",
    "scene",
    "second",
    "servers",
    "silent_channel",
    "slapd",
    "stored_link",
    "stuck_session",
    "subscribing_nora",
    "successor",
    "taker",
    "tampered",
    "use_keys",
    "used",
    "vault",
    "viewers_page",
    "workers",
]
IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
EACH = [pytest.param(rule, id=rule.name, marks=pytest.mark.django_db(transaction=rule.commits)) for rule in RULES]
IN_PLACE = EACH if IS_WHOLE else EACH[::10]
RENAMED = {
    ON_OPEN: {"run": "run_of_steps"},
    ON_CLAIM: {"run": "run_that_waits"},
    ON_APPROVALS: {"run": "run_that_waits"},
    ON_SHELL: {"run": "run_at_shell"},
    SEVERAL: {"run": "run_of_two_approvals"},
    ON_PUSH: {"page": "viewers_page"},
    ON_MESSAGES: {"nora": "subscribing_nora"},
    ON_TOKENS: {"page": "operators_page"},
    ON_APPROVALS_OF_ALL: {"links": "links_with_approvals"},
    ON_ONE: {"second": "another_administrator"},
}
"""Fixtures of one name in several modules, as they are called here."""
RED = (AssertionError, pytest.fail.Exception)
"""An ordinary test that is red: what it states does not hold, or what it expects to be raised is not."""


@pytest.fixture
def writer() -> Iterator[Writer]:
    """On a server that takes whatever it is sent."""
    with rogue() as (endpoint, _):
        one = Writer(NodeRef("n_r", "rogue", endpoint.host, endpoint.port, "c_r"), endpoint)
        yield one
        one.close()


def ordinary(rule: OuterRule, request: pytest.FixtureRequest) -> tuple[Any, dict[str, Any]]:
    """The ordinary test and what it asks for, made before any rule is out."""
    test = getattr(import_module(rule.tested_in), rule.test)
    names, given = RENAMED.get(rule.tested_in, {}), first_case(test)
    asked = [name for name in inspect.signature(test).parameters if name not in given]
    return test, given | {name: request.getfixturevalue(names.get(name, name)) for name in asked}


def first_case(test: Any) -> dict[str, Any]:
    """The first of the parameters that the test is repeated with."""
    given: dict[str, Any] = {}
    for names, cases in (mark.args for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"):
        case = next(iter(cases))
        given |= {names: case} if isinstance(names, str) else dict(zip(names, case, strict=True))
    return given


@pytest.mark.parametrize("rule", IN_PLACE)
def test_rule__in_place__its_ordinary_test_is_green(rule: OuterRule, request: pytest.FixtureRequest) -> None:
    """Of each one in the whole form: the ordinary test runs in its own place anyway, and only an assertion is red."""
    test, given = ordinary(rule, request)
    test(**given)


@pytest.mark.parametrize("rule", EACH)
def test_rule__taken_out__its_ordinary_test_is_red(rule: OuterRule, request: pytest.FixtureRequest) -> None:
    test, given = ordinary(rule, request)
    with taken_out(rule), pytest.raises(RED):
        test(**given)
