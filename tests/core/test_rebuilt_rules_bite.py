"""The safety rules of attaching a copy, each taken out: what it prevents then happens."""

from __future__ import annotations

import pytest

from tests.core.bites.copying import PREVENTS, RULES
from tests.core.bites.rule import Rule
from tests.core.mutants import copy_with

pytestmark = pytest.mark.core


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rebuild_rule__in_place__shown_at_work(rule: Rule) -> None:
    with copy_with() as core:
        assert rule.holds(core)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rebuild_rule__taken_out__is_missed(rule: Rule) -> None:
    with copy_with(*rule.changes) as core:
        assert not rule.holds(core)


def test_rebuild_rules__each__says_what_it_prevents() -> None:
    assert set(PREVENTS) == {rule.name for rule in RULES}
