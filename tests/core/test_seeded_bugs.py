"""Every safety rule, taken out: what it prevents then happens. A rule nobody would miss is not a rule."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.bites.page import PAGE, RULES, written
from tests.core.bites.rule import Rule
from tests.core.mutants import copy_with

pytestmark = pytest.mark.core


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule__in_place__holds(rule: Rule) -> None:
    with copy_with() as core:
        assert rule.holds(core)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rule__taken_out__is_missed(rule: Rule) -> None:
    with copy_with(*rule.changes) as core:
        assert not rule.holds(core)


def test_page__of_seeded_bugs__names_every_rule_and_what_catches_it() -> None:
    assert Path(PAGE).read_text(encoding="utf-8") == written(), "run `python -m tests.core.bites.page`"
