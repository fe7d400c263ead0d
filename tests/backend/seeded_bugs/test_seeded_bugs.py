"""Every rule of the engine's outer half, taken out: the ordinary test that guards it turns red."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from importlib import import_module

import pytest

from backend.core.topology import NodeRef
from backend.gateway.writer import Writer
from tests.backend.secret_stores.conftest import folder
from tests.backend.seeded_bugs.ordinary import ordinary
from tests.backend.seeded_bugs.removing import taken_out
from tests.backend.seeded_bugs.rule import OuterRule
from tests.backend.seeded_bugs.rules import RULES
from tests.backend.single_sign_on.conftest import oidc, running_directory, running_provider, slapd
from tests.gateway.rogue import rogue
from tests.monitoring.conftest import stored_link

__all__ = ["folder", "oidc", "running_directory", "running_provider", "slapd", "stored_link"]
IS_WHOLE = bool(os.environ.get("HAWSER_WHOLE"))
EACH = [pytest.param(rule, id=rule.name, marks=pytest.mark.django_db(transaction=rule.commits)) for rule in RULES]
IN_PLACE = EACH if IS_WHOLE else EACH[::10]
RED = (AssertionError, pytest.fail.Exception)
"""An ordinary test that is red: what it states does not hold, or what it expects to be raised is not."""


@pytest.fixture
def rogue_writer() -> Iterator[Writer]:
    """On a server that takes whatever it is sent."""
    with rogue() as (endpoint, _):
        one = Writer(NodeRef("n_r", "rogue", endpoint.host, endpoint.port, "c_r"), endpoint)
        yield one
        one.close()


def test_rules__each__text_stands_once_in_its_module() -> None:
    """A rule whose text has gone guards nothing, and only the whole would tell."""
    counts = {rule.name: inspect.getsource(import_module(rule.module)).count(rule.text) for rule in RULES}
    assert {name: count for name, count in counts.items() if count != 1} == {}


@pytest.mark.slow
@pytest.mark.parametrize("rule", IN_PLACE)
def test_rule__in_place__its_ordinary_test_is_green(rule: OuterRule, request: pytest.FixtureRequest) -> None:
    """Of each one in the whole form: the ordinary test runs in its own place anyway, and only an assertion is red."""
    test, given = ordinary(rule, request, writer="rogue_writer")
    test(**given)


@pytest.mark.slow
@pytest.mark.parametrize("rule", EACH)
def test_rule__taken_out__its_ordinary_test_is_red(rule: OuterRule, request: pytest.FixtureRequest) -> None:
    test, given = ordinary(rule, request, writer="rogue_writer")
    with taken_out(rule), pytest.raises(RED):
        test(**given)
